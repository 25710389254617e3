// The screen end of the terminal: the same moves of the cursor in fewer bytes, which counts on a slow line.

/** Steps to the next row, as Ink writes one for every row that stays as it is. */
// oxlint-disable-next-line no-control-regex
const STEPS = /(?:\u001B\[E){2,}/g;
const STEP_LENGTH = 3;

/** Looks that follow each other with no text between them; or one of a kind that Ink does not write. */
// oxlint-disable-next-line no-control-regex
const LOOKS = /(?:\u001B\[\d+m)+|\u001B\[[\d;:]*m/g;
/** Per code that ends something: the codes for that thing, of which the last one counts. */
const ENDS: ReadonlyMap<string, RegExp> = new Map([
  ["39", /^(?:39|3[0-7]|9[0-7])$/],
  ["49", /^(?:49|4[0-7]|10[0-7])$/],
  ["24", /^(?:24|4)$/],
  ["27", /^(?:27|7)$/],
  ["22", /^(?:22|1|2)$/],
]);
/** Bold and dim text: each leaves the other as it is. */
const WEIGHT = /^[12]$/;

/** A line is written from its first column, where the cursor is after a step already; a bare line feed needs no more than a return. */
// oxlint-disable-next-line no-control-regex
const FIRST_COLUMN = /(\u001B\[\d*E|\n)\u001B\[1G/g;

/** The stream itself, but for what is written to it: steps down become one, and so do looks, without those that change nothing. */
export function leanOutput(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  const oneLook = lookWriter();
  const lean = (frame: string): string =>
    frame
      .replaceAll(STEPS, oneMove)
      .replaceAll(FIRST_COLUMN, (_, move: string) => (move === "\n" ? "\r\n" : move))
      .replaceAll(LOOKS, oneLook);
  const write = (chunk: string | Uint8Array, ...rest: never[]): boolean =>
    stdout.write(typeof chunk === "string" ? lean(chunk) : chunk, ...rest);
  return new Proxy(stdout, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Makes one sequence of several, or none, and keeps in mind what is over already. */
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
