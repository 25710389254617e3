// Gets the passphrase from a command of the user (pass, op, secret-tool, ...): an argument list, no shell, the first line
// of its output. Its standard error is not shown, because it may hold secrets.

import { spawn } from "node:child_process";

import { type Fault, vaultLocked, whole } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";

/** Long enough for a hardware key that must be touched. */
export const COMMAND_LIMIT_MS = 60_000;
/** In bytes. */
const OUTPUT_LIMIT_BYTES = 64 * 1024;

export type RunPassphraseCommand = (command: readonly string[]) => Promise<Secret>;

/**
 * Creates the runner of passphrase commands.
 * @param env environment of the command; variables of verdict's own are left out
 */
export function passphraseCommandRunner(
  env: NodeJS.ProcessEnv,
  limitMs: number = COMMAND_LIMIT_MS,
): RunPassphraseCommand {
  const theirs = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("VERDICT_")));
  return (command) => run(command, theirs, limitMs);
}

/** @throws Fault("vault_locked") when it cannot be started, fails, takes too long or gives no passphrase */
async function run(command: readonly string[], env: NodeJS.ProcessEnv, limitMs: number): Promise<Secret> {
  const [program, ...args] = command;
  const fault = (what: string): Fault =>
    vaultLocked`The vault stays locked because the passphrase command "${program ?? ""}" ${whole(what)}.`;
  const output = await new Promise<Buffer>((resolve, reject) => {
    const child = spawn(program!, args, { env, shell: false, stdio: ["ignore", "pipe", "ignore"] });
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = (problem: Fault): void => {
      child.kill("SIGKILL");
      // A grandchild may hold the pipe open.
      child.stdout.destroy();
      reject(problem);
    };
    const timer = setTimeout(
      () => stop(fault(`gave no answer within ${Math.ceil(limitMs / 1000)} s; run it by itself to see why`)),
      limitMs,
    );
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > OUTPUT_LIMIT_BYTES)
        stop(fault("wrote more than 64 KiB; it must print the passphrase as its first line"));
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(fault(startProblem(error.code)).causedBy(error));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(chunks));
      else reject(fault(`ended with ${code ?? signal}; run it by itself to see why`));
    });
  });
  const [line = ""] = output.toString("utf8").split(/\r?\n/, 1);
  output.fill(0);
  if (line === "") throw fault("gave no passphrase; it must print the passphrase as its first line");
  return new Secret(line);
}

function startProblem(code: string | undefined): string {
  switch (code) {
    case "ENOENT":
      return "was not found; install it, or give its whole path";
    case "EACCES":
      return "cannot be run, because permission is denied; correct its permissions";
    default:
      return `could not be started (${code ?? "unknown reason"}); run it by itself to see why`;
  }
}
