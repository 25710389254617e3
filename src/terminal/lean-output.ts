// The screen end of the terminal: the same moves of the cursor in fewer bytes, which counts on a slow line.

/** Steps to the next row, as Ink writes one for every row that stays as it is. */
// oxlint-disable-next-line no-control-regex
const STEPS = /(?:\u001B\[E){2,}/g;
const STEP_LENGTH = 3;

/** Looks that follow each other with no text between them. */
// oxlint-disable-next-line no-control-regex
const LOOKS = /(?:\u001B\[\d+m){2,}/g;
/** Per code that ends something: the codes before it that it makes void. */
const ENDS: Readonly<Record<string, RegExp>> = {
  "22": /^[12]$/,
  "24": /^4$/,
  "27": /^7$/,
  "39": /^(?:3[0-7]|9[0-7])$/,
  "49": /^(?:4[0-7]|10[0-7])$/,
};

/** The stream itself, but for what is written to it: several steps down become one, and so do several looks. */
export function leanOutput(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
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

function lean(frame: string): string {
  return frame.replaceAll(STEPS, oneMove).replaceAll(LOOKS, oneLook);
}

function oneLook(looks: string): string {
  let kept: string[] = [];
  for (const [code] of looks.matchAll(/\d+/g)) {
    const ended = ENDS[code];
    if (ended !== undefined) kept = kept.filter((before) => before !== code && !ended.test(before));
    kept.push(code);
  }
  return `\u001B[${kept.join(";")}m`;
}

function oneMove(steps: string): string {
  return `\u001B[${steps.length / STEP_LENGTH}E`;
}
