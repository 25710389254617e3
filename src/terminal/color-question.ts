// Asks the terminal for its bright black and its background (OSC 4 and 11), and keeps the answers away from the keys.

/** Red, green and blue, 0 to 1 each. */
type Rgb = readonly number[];

export interface ColorQuestion {
  /** The two colours; null where they have not come in time. */
  readonly colors: Promise<{ readonly gray: Rgb; readonly ground: Rgb } | null>;
  /** The input without answers, in whatever pieces and however late they come. */
  typed(chunk: string): string;
}

const QUESTIONS = "\x1b]4;8;?\x07\x1b]11;?\x07";
const LIMIT_MS = 100;
/** An answer up to its end, or up to what does not belong to one. */
// oxlint-disable-next-line no-control-regex
const ANSWER = /\x1b\](4;8|11);([rgba\da-f:/]*)(?:\x07|\x1b\\|(?![rgba\da-f:/]|\x1b?$))/gi;
/** The beginning of an answer. */
// oxlint-disable-next-line no-control-regex
const BEGINNING = /\x1b\](?:4(?:;(?:8(?:;[rgba\da-f:/]*\x1b?)?)?)?|11?|11;[rgba\da-f:/]*\x1b?)?$/i;

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
      if (answers.size === 2 && held === "") return chunk;
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
      const [gray, ground] = [answers.get("4;8"), answers.get("11")];
      if (gray && ground) resolve(gray.length + ground.length === 6 ? { gray, ground } : null);
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
