// verdict demo --record: the presenter's screen as a recording, of the user's terminal or of one that is made up.

import { openGrowing } from "#src/actions/growing-file.ts";
import type { DemoOpening, DemoRecord, EndedDemo } from "#src/actions/sandbox/demo.ts";
import type { Invocation } from "#src/cli/command.ts";
import type { DEMO } from "#src/cli/command-options.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { usage } from "#src/contract/fault.ts";
import { LEAST } from "#src/terminal/gate.ts";

const MADE_UP = { columns: 100, rows: 30 } as const;
/** Larger screens are not drawn by players. */
const LARGEST = { columns: 300, rows: 100 } as const;

type Presenting = Invocation<typeof DEMO>;

export interface WantedRecording extends Omit<DemoRecord, "file"> {
  readonly path: string;
  readonly overwrites: boolean;
}

/**
 * Reads --record and --size.
 * @param onScreen whether there is a terminal whose screen can be recorded
 * @returns null where no recording is wanted
 * @throws Fault("usage") for an invalid size
 */
export function readRecording({ options }: Presenting, onScreen: boolean): WantedRecording | null {
  const { record: path, size } = options;
  if (path === undefined) return null;
  const madeUp = size === undefined ? (onScreen ? null : MADE_UP) : readSize(size);
  return { path, overwrites: options.yes, size: madeUp };
}

function readSize(text: string): { readonly columns: number; readonly rows: number } {
  const [columns = 0, rows = 0] = (/^(\d+)x(\d+)$/.exec(text) ?? []).slice(1).map(Number);
  if (columns >= LEAST.columns && rows >= LEAST.rows && columns <= LARGEST.columns && rows <= LARGEST.rows)
    return { columns, rows };
  throw usage`--size takes columns and rows from ${LEAST.columns}x${LEAST.rows} to ${LARGEST.columns}x${LARGEST.rows}, such as 80x24, not "${text}".`;
}

/**
 * Presents a deck and records it.
 * @param onFrames gets the frames at the end, and is waited for
 * @returns the exit code of the deck; `notWritten` where the recording ends early
 * @throws Fault("usage" | "storage") when the file cannot be created, before anything is opened
 */
export async function recorded(
  { openConsole, output }: Invocation,
  opening: DemoOpening,
  { path, overwrites, size }: WantedRecording,
  onFrames: (frames: EndedDemo["frames"]) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const file = openGrowing(path, overwrites, "add --yes, or name another file");
  try {
    if (size !== null) output.progress("Recording");
    const exit = await openConsole("sandbox", {
      ...opening,
      // Where nobody is there to go forward.
      autoS: opening.autoS ?? (size === null ? null : "reading"),
      record: { file, size },
      async onEnd({ frames, recorded: text }) {
        await onFrames(frames);
        const problem = file.problem();
        if (problem !== null) output.complain(problem.message);
        else if (text !== null) output.note(text);
      },
    });
    return exit === EXIT.done && file.problem() !== null ? EXIT.notWritten : exit;
  } finally {
    file.close();
  }
}
