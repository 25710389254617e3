// Shortens Ink's output: fewer bytes for the same cursor moves and styles, which matters on a slow line.

/** Moves to the next row; Ink writes one for every unchanged row. */
// oxlint-disable-next-line no-control-regex
const STEPS = /(?:\u001B\[E){2,}/g;
const STEP_LENGTH = 3;

/** Consecutive styles without text in between, or a style in a form that Ink does not write. */
// oxlint-disable-next-line no-control-regex
const LOOKS = /(?:\u001B\[\d+m)+|\u001B\[[\d;:]*m/g;
/** Codes of a style by the code that resets it; the last one counts. */
const ENDS: ReadonlyMap<string, RegExp> = new Map([
  ["39", /^(?:39|3[0-7]|9[0-7])$/],
  ["49", /^(?:49|4[0-7]|10[0-7])$/],
  ["24", /^(?:24|4)$/],
  ["27", /^(?:27|7)$/],
  ["22", /^(?:22|1|2)$/],
]);
/** Bold and dim are independent of each other. */
const WEIGHT = /^[12]$/;

/** Enters the alternate screen; Ink draws its first frame where the cursor is, which what was echoed before may have moved. */
const ALTERNATE = "\u001B[?1049h";

/** Before a frame that is drawn over another one: to the first row without a cursor, which a frame that has one shows again. */
export const IN_PLACE = "\u001B[?25l\u001B[1;1H";
/** Clears the rest of a row: Ink writes no blanks at its end. */
const CLEAR_ROW = "\u001B[K";

/** A move to the first column, which is redundant after a move to the next row, and a carriage return after a line feed. */
// oxlint-disable-next-line no-control-regex
const FIRST_COLUMN = /(\u001B\[\d*E|\n)\u001B\[1G/g;

/**
 * A stream that merges moves and styles, and leaves out those without an effect.
 * @param isPlain whether to leave out all styles now, also that of the slot of a field
 * @param onWritten gets all that is written
 * @param isSkipped whether to write nothing now
 */
export function leanOutput(
  stdout: NodeJS.WriteStream,
  isPlain = (): boolean => false,
  onWritten: (chunk: string | Uint8Array) => void = () => undefined,
  isSkipped = (): boolean => false,
): NodeJS.WriteStream {
  const oneLook = lookWriter();
  let isInPlace = false;
  const cleared = (frame: string): string => {
    if (frame === IN_PLACE) isInPlace = true;
    else if (isInPlace && frame.includes("\n")) {
      isInPlace = false;
      return CLEAR_ROW + frame.replaceAll("\n", `\n${CLEAR_ROW}`);
    }
    return frame;
  };
  const lean = (frame: string): string =>
    frame
      .replace(ALTERNATE, `${ALTERNATE}\u001B[1;1H\u001B[J`)
      .replaceAll(STEPS, oneMove)
      .replaceAll(FIRST_COLUMN, (_, move: string) => (move === "\n" ? "\r\n" : move))
      .replaceAll(LOOKS, (looks) => (isPlain() ? "" : oneLook(looks)));
  const write = (chunk: string | Uint8Array, ...rest: never[]): boolean => {
    // An empty one waits for those before it.
    if (chunk.length > 0 && isSkipped()) return true;
    const written = typeof chunk === "string" ? lean(cleared(chunk)) : chunk;
    onWritten(written);
    return stdout.write(written, ...rest);
  };
  return new Proxy(stdout, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Merges style sequences, and remembers which styles are reset already. */
function lookWriter(): (looks: string) => string {
  const over = new Set<string>();
  return (looks) => {
    const before = new Set(over);
    let kept: string[] = [];
    for (const [code] of looks.matchAll(/\d+/g)) {
      const [end, same] = [...ENDS].find(([, codes]) => codes.test(code)) ?? [null, null];
      if (same !== null && !WEIGHT.test(code)) kept = kept.filter((earlier) => !same.test(earlier));
      if (end === null) over.clear();
      else if (code === end) over.add(end);
      else over.delete(end);
      kept.push(code);
    }
    if (/[;:]|\[m/.test(looks)) {
      over.clear();
      return looks;
    }
    kept = kept.filter((code) => !before.has(code));
    return kept.length === 0 ? "" : `\u001B[${kept.join(";")}m`;
  };
}

function oneMove(steps: string): string {
  return `\u001B[${steps.length / STEP_LENGTH}E`;
}
