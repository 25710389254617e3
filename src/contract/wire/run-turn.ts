// The turn of a check in its run: several are sent at once, and a sandbox decides them in the order of their numbers.

/** Told to a sandbox that has proved itself, and to no other service, in a header that is not signed. */
export interface RunTurn {
  /** Random, so that other clients cannot join the order. */
  readonly run: string;
  /** From 1, without gaps. */
  readonly number: number;
  /** The lowest number that is under way: nothing waits for those below it. */
  readonly lowest: number;
}

const FORM = /^([\w-]{1,64}) ([1-9]\d{0,14}) ([1-9]\d{0,14})$/;

export function runTurnText({ run, number, lowest }: RunTurn): string {
  return `${run} ${number} ${lowest}`;
}

/** Null for a text that is no turn. */
export function readRunTurn(text: string): RunTurn | null {
  const [, run, number, lowest] = FORM.exec(text) ?? [];
  return run === undefined ? null : { run, number: Number(number), lowest: Number(lowest) };
}
