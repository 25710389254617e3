// -o, --output: the data of a command, in a new private file or on standard output.

import { createWhole, expectNewFile } from "#src/actions/whole-file.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { safeJson } from "#src/display/safe.ts";
import { createStyle } from "#src/display/style.ts";
import type { Invocation } from "./command.ts";
import type { OUTPUT } from "./option-specs.ts";
import type { Output } from "./output.ts";

export interface DataOutput {
  /** Name of the file, escaped; null for standard output. */
  readonly file: string | null;
  /** For all else that the command prints: standard output belongs to the data. */
  readonly report: Output;
  /** A file appears when it is whole. @throws Fault("usage" | "storage") as `createWhole` does */
  write(text: AsyncIterable<string>): Promise<void>;
}

/** @throws Fault("usage") for a file that is there already, or a folder that is not: called before the work begins */
export function openOutput({
  options: { output: path },
  output,
  signal,
}: Invocation<{ readonly output: typeof OUTPUT }>): DataOutput {
  if (path !== undefined && path !== "-") {
    expectNewFile(path);
    return { file: escapeText(path), report: output, write: (text) => createWhole(path, text) };
  }
  return {
    file: null,
    report: {
      ...output,
      style: createStyle({ color: false, ascii: output.style.ascii === true }),
      line: (text = "") => output.complain(text),
      json: (value) => output.complain(safeJson(value)),
    },
    async write(text) {
      for await (const piece of text) {
        output.exact(piece);
        await output.drained(signal);
      }
    },
  };
}
