// verdict serve: the sandbox in this process. The only file outside src/sandbox that knows it.

import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { sandboxStateDir } from "#src/app/sandbox-launch.ts";
import { VERSION } from "#src/app/version.ts";
import { CHECK_FIELDS } from "#src/contract/check-fields.ts";
import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { parseInstant } from "#src/contract/instant.ts";
import { safe } from "#src/display/safe.ts";
import {
  runSandbox,
  SandboxTakenFault,
  type RunningSandbox,
  type SandboxOptions,
} from "#src/sandbox/run-sandbox.ts";
import type { CommandRun, Invocation } from "./command.ts";
import { EXIT } from "./exit-code.ts";

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 8787;
const DEFAULT_CREDENTIAL_DELAY_S = 5;
const HIGHEST_PORT = 65_535;
/** A log that nobody reads must not fill the disk. */
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

export const serve: CommandRun = async (invocation) => {
  const embedded = invocation.options.flag("embedded");
  const options = readOptions(invocation, embedded);
  let running: RunningSandbox;
  try {
    running = await runSandbox(options);
  } catch (error) {
    // The loser of the race for one home: whoever started it reads the winner's endpoint file.
    if (embedded && error instanceof SandboxTakenFault) return EXIT.done;
    throw error;
  }
  const stop = (): void => void running.stop();
  if (invocation.signal.aborted) stop();
  invocation.signal.addEventListener("abort", stop, { once: true });
  if (!embedded) announce(invocation, options, running);
  await running.ended;
  return EXIT.done;
};

function readOptions({ options, home, output }: Invocation, embedded: boolean): SandboxOptions {
  const stateDir = embedded
    ? sandboxStateDir(home)
    : resolve(options.text("state") ?? join(home.state, "serve"));
  const port = { min: 0, max: HIGHEST_PORT };
  const adminPort = options.integer("adminPort", "--admin-port", port);
  const startAt = readTime(options.text("startAt"));
  return {
    host: options.text("host") ?? DEFAULT_HOST,
    port: options.integer("port", "--port", port) ?? (embedded ? 0 : DEFAULT_PORT),
    adminPort: adminPort ?? null,
    adminEnabled: embedded || adminPort !== undefined,
    stateDir,
    embedded,
    ephemeral: options.flag("ephemeral"),
    seed: options.integer("seed", "--seed", { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? null,
    ...(startAt === undefined ? {} : { startAt }),
    recipeId: options.text("recipe") ?? "http-signatures",
    credentialDelayS:
      options.integer("credentialDelay", "--credential-delay", { min: 0, max: 86_400 }) ??
      DEFAULT_CREDENTIAL_DELAY_S,
    credentialUnsigned: options.flag("credentialUnsigned"),
    require: readRequired(options.text("require")),
    version: VERSION,
    log: embedded ? logToFile(stateDir) : (entry) => output.complain(JSON.stringify(entry)),
  };
}

function readRequired(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const paths = text.split(",").map((path) => path.trim());
  const unknown = paths.find((path) => !CHECK_FIELDS.some((field) => field.path === path));
  if (unknown === undefined) return paths;
  throw new Fault(
    "usage",
    `--require does not know the field "${escapeText(unknown, 60)}"; the fields are ${CHECK_FIELDS.map((field) => field.path).join(", ")}.`,
  );
}

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const at = parseInstant(text);
  if (at === null) {
    throw new Fault(
      "usage",
      `--start-at takes a time in ISO 8601, for example 2026-03-01T12:00:00Z, not "${escapeText(text, 40)}".`,
    );
  }
  return at;
}

/** One JSON object a line; stops at its limit. An embedded sandbox has no terminal to write to. */
function logToFile(stateDir: string): SandboxOptions["log"] {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const file = openSync(join(stateDir, "sandbox.log"), "a", 0o600);
  let size = fstatSync(file).size;
  process.once("exit", () => closeSync(file));
  return (entry) => {
    const line = `${JSON.stringify(entry)}\n`;
    if (size + line.length > LOG_LIMIT_BYTES) return;
    size += line.length;
    try {
      writeSync(file, line);
    } catch {
      // A full disk must not end the service for the sake of its log; what it has to remember has its own checks.
    }
  };
}

function announce({ output }: Invocation, options: SandboxOptions, running: RunningSandbox): void {
  output.line(
    `The sandbox listens on http://${safe(options.host)}:${running.port} (recipe ${options.recipeId}).`,
  );
  if (options.adminEnabled) {
    output.line(
      `Administrative plane: http://127.0.0.1:${running.adminPort}; its token is in ${safe(join(options.stateDir, "endpoint.json"))}.`,
    );
  }
  if (running.keysFile !== null)
    output.line(`Integration keys: ${safe(running.keysFile)} (readable by you alone).`);
  output.line("Ctrl-C ends it.");
}
