// A terminal that nobody sits at: the console is drawn on it to be recorded.

import { PassThrough, Writable } from "node:stream";

export interface MadeUpTerminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** What the environment says of it: colours, and every character. */
  readonly env: NodeJS.ProcessEnv;
}

/** @param env of this process: its other variables stay */
export function madeUpTerminal(
  size: { readonly columns: number; readonly rows: number },
  env: NodeJS.ProcessEnv,
): MadeUpTerminal {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  const stdout = new Writable({ write: (_chunk, _encoding, done) => done() });
  return {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: Object.assign(stdout, size, { isTTY: true }) as unknown as NodeJS.WriteStream,
    env: { ...env, TERM: "xterm-256color", LC_ALL: "C.UTF-8", INK_SCREEN_READER: undefined },
  };
}
