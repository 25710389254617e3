// Whether this terminal can show the console, and with what; asked before Ink is loaded.

/** Smallest window that the screens are made for. */
export const LEAST = { columns: 60, rows: 16 } as const;

/** What of a stream the gate looks at. */
interface Stream {
  readonly isTTY?: boolean;
}

export interface GateInput {
  readonly stdin: Stream;
  readonly stdout: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Gate =
  | { readonly ok: true; readonly color: boolean; readonly ascii: boolean }
  | { readonly ok: false; readonly sentence: string };

/**
 * Looks for what the console needs: a terminal at both ends that can move its cursor. `CI` says nothing about that.
 * Colour is off with a non-empty NO_COLOR (no-color.org); symbols are ASCII where the locale is not UTF-8, and on the
 * Linux console, whose fonts lack them.
 */
export function consoleGate({ stdin, stdout, env }: GateInput): Gate {
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    const end = stdin.isTTY === true ? "output" : "input";
    return refused(`The console needs a terminal and its ${end} is not one`);
  }
  if (env["TERM"] === "dumb")
    return refused("The console cannot be drawn on a terminal of the kind TERM=dumb");
  return { ok: true, color: !env["NO_COLOR"], ascii: !speaksUtf8(env) || env["TERM"] === "linux" };
}

const refused = (cause: string): Gate => ({
  ok: false,
  sentence: `${cause}; use the commands instead, see verdict --help.`,
});

/** Nothing said means UTF-8, as everywhere but in the C locale. */
export function speaksUtf8(env: GateInput["env"]): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"];
  return locale === undefined || locale === "" || /utf-?8/i.test(locale);
}
