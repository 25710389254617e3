// Asks the terminal for some of its colours and its background (OSC 4 and 11), and keeps the answers away from the keys.

/** Red, green and blue, 0 to 1 each. */
type Rgb = readonly number[];

/** What is asked, by its number in the question. */
const ASKED = {
  black: "4;0",
  red: "4;1",
  cyan: "4;6",
  white: "4;7",
  gray: "4;8",
  whiteBright: "4;15",
  ground: "11",
} as const;

export type ToldColors = Readonly<Record<keyof typeof ASKED, Rgb>>;

export interface ColorQuestion {
  /** The colours; null where not all of them have come in time. */
  readonly colors: Promise<ToldColors | null>;
  /** The input without answers, in whatever pieces and however late they come. */
  typed(chunk: string): string;
}

const NUMBERS = Object.values(ASKED);
const QUESTIONS = NUMBERS.map((number) => `\x1b]${number};?\x07`).join("");
const LIMIT_MS = 100;
/** An answer up to its end, or up to what does not belong to one. */
// oxlint-disable-next-line no-control-regex
const ANSWER = /\x1b\](4;(?:[01678]|15)|11);([rgba\da-f:/]*)(?:\x07|\x1b\\|(?![rgba\da-f:/]|\x1b?$))/gi;
/** The beginning of an answer. */
const BEGINNING =
  // oxlint-disable-next-line no-control-regex
  /\x1b\](?:4(?:;(?:(?:[01678]|15)(?:;[rgba\da-f:/]*\x1b?)?|1)?)?|11?|11;[rgba\da-f:/]*\x1b?)?$/i;

/** Asks at once. */
export function askColors(stdout: { write(text: string): unknown }): ColorQuestion {
  const { promise: colors, resolve } = Promise.withResolvers<Awaited<ColorQuestion["colors"]>>();
  const answers = new Map<string, Rgb>();
  let held = "";
  /** An Esc that was typed, or was the first piece of an answer: the keys have it. */
  let given = "";
  stdout.write(QUESTIONS);
  // What came in time is read first, also by a process that was busy.
  setTimeout(() => setImmediate(() => resolve(null)), LIMIT_MS).unref();
  return {
    colors,
    typed(chunk) {
      if (answers.size === NUMBERS.length && held === "") return chunk;
      const rest = `${given}${held}${chunk}`.replaceAll(
        ANSWER,
        (_, what: string, told: string, at: number) => {
          if (at === 0) given = "";
          const color = /^rgba?:([^/]+)\/([^/]+)\/([^/]+)/i.exec(told)?.slice(1);
          answers.set(
            what,
            (color ?? []).map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1)),
          );
          return "";
        },
      );
      if (answers.size === NUMBERS.length) resolve(toldColors(answers));
      const begun = BEGINNING.exec(rest)?.[0] ?? "";
      const typed = rest.slice(0, rest.length - begun.length);
      if (typed === "" && begun !== "") {
        held = begun.slice(given.length);
        return "";
      }
      held = begun;
      const fresh = typed.slice(given.length);
      given = begun === "" && typed.endsWith("\x1b") ? "\x1b" : "";
      return fresh;
    },
  };
}

/** Null where one is no colour. */
function toldColors(answers: ReadonlyMap<string, Rgb>): ToldColors | null {
  const told = Object.entries(ASKED).map(([name, number]) => [name, answers.get(number)!] as const);
  return told.every(([, rgb]) => rgb.length === 3) ? (Object.fromEntries(told) as ToldColors) : null;
}
