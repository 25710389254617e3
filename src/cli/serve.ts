// verdict serve: runs the sandbox in this process. In the program only this file and src/library import it.

import { sayDone } from "#src/cli/done.ts";
import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { sandboxStateDir, type Home } from "#src/app/home.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "#src/app/temporary-folder.ts";
import { VERSION } from "#src/app/version.ts";
import { namedRecipe } from "#src/cli/profiles/named-recipe.ts";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { DEFAULT_TENANT } from "#src/contract/wire/sandbox-wire.ts";
import { isLoopbackHost, originOf } from "#src/contract/wire/service-url.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { describeService } from "#src/sandbox/service/openapi-route.ts";
import { ensureStateFolder, runSandbox, SandboxTakenFault } from "#src/sandbox/run-sandbox.ts";
import type { RunningSandbox, SandboxOptions } from "#src/sandbox/sandbox-options.ts";
import { gatherLines, openLineFile } from "#src/sandbox/state/line-file.ts";
import { readStateAddress, type StateServer } from "#src/sandbox/valkey/state-address.ts";
import type { CommandRun, Invocation } from "./command.ts";
import type { Output } from "./output.ts";
import type { SERVE } from "./command-options.ts";

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 8787;
/** An address in place of a folder; a letter alone is a drive of Windows. */
const SERVER_ADDRESS = /^[a-z+]{2,}:/;
/** Size of the log file and of its predecessor, which limits the log on disk. */
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;

type Serving = Invocation<typeof SERVE>;

export const serve: CommandRun<typeof SERVE> = async (invocation) => {
  const documentOnly = invocation.options.openapi;
  const embedded = invocation.options.embedded && !documentOnly;
  const options = await readOptions(invocation, embedded);
  if (documentOnly) return printDocument(invocation, options);
  // The process that starts an embedded sandbox reads its standard error until it runs, and reports damage found.
  let isRead = embedded;
  const log: SandboxOptions["log"] = (entry) => {
    options.log(entry);
    if (isRead && entry.event === "fault") invocation.output.complain(entry.reason ?? "");
  };
  let running: RunningSandbox;
  try {
    running = await runSandbox({ ...options, log });
  } catch (error) {
    // Another process has started the sandbox of this home; the caller reads its endpoint file.
    if (embedded && error instanceof SandboxTakenFault) return;
    if (embedded && error instanceof Fault) {
      options.log({ at: new Date().toISOString(), event: "fault", reason: error.message });
    }
    throw error;
  }
  isRead = false;
  // What fails at its end is told by `ended`.
  const stop = (): void => void running.leave().catch(() => undefined);
  // In place of the program's own listener, which ends the command.
  if (options.tls !== undefined) process.removeAllListeners("SIGHUP").on("SIGHUP", running.reloadTls);
  if (invocation.signal.aborted) stop();
  invocation.signal.addEventListener("abort", stop, { once: true });
  if (!embedded) announce(invocation, options, running);
  await running.ended;
};

async function readOptions(invocation: Serving, embedded: boolean): Promise<SandboxOptions> {
  const { options, home, output } = invocation;
  const server = embedded ? undefined : readServer(invocation);
  const stateDir = embedded ? sandboxStateDir(home) : ownFolder(invocation, server);
  return {
    host: options.host,
    port: options.port ?? (embedded ? 0 : DEFAULT_PORT),
    tls:
      options.tlsCert === undefined || options.tlsKey === undefined
        ? undefined
        : { cert: options.tlsCert, key: options.tlsKey },
    adminPort: options.adminPort ?? (embedded ? 0 : null),
    adminHost: options.adminHost,
    adminTokenFile: options.adminTokenFile,
    stateDir,
    server,
    embedded,
    ephemeral: options.ephemeral,
    seed: options.seed ?? null,
    startAt: options.startAt,
    recipe: await namedRecipe(invocation, options.recipe),
    credentialDelayS: options.credentialDelay,
    leaveMs: 1000 * options.drainDelay,
    credentialUnsigned: options.credentialUnsigned,
    amountUnit: options.amountUnit ?? "minor",
    currencyNumbering: options.currencyNumbering,
    registrationCurrencyNumbering: options.registrationCurrencyNumbering,
    require: readRequired(options.require),
    magic: options.magic,
    rulesFile: options.rules,
    version: VERSION,
    documentPage: async (document) => (await import("./interface-page.ts")).interfacePage(document),
    log: embedded ? await logToFile(stateDir) : logToOutput(output),
  };
}

/**
 * The server that `--state` names in place of a folder.
 * @throws Fault("usage") for options that do not go together
 */
function readServer({ options }: Serving): StateServer | undefined {
  const { state: address, stateKeyFile: keyFile, statePasswordFile: passwordFile, stateCa: caFile } = options;
  if (address === undefined || !SERVER_ADDRESS.test(address)) {
    if ((keyFile ?? passwordFile ?? caFile ?? options.localDir) === undefined) return undefined;
    throw usage`--state-key-file, --state-password-file, --state-ca and --local-dir require --state valkey://HOST:PORT.`;
  }
  // First, because a password in it can be read by others already.
  readStateAddress(address);
  if (options.ephemeral) {
    throw usage`--ephemeral cannot be used with a Valkey or Redis server, because its data outlives the workers; use a tenant with a time limit: verdict sandbox tenant create NAME --ttl 2h.`;
  }
  if (keyFile === undefined) {
    throw usage`A Valkey or Redis server needs --state-key-file, a key that encrypts secrets, the same for every worker; create the file with (umask 077; openssl rand 32 > FILE).`;
  }
  return {
    address,
    keyFile,
    ...(passwordFile === undefined ? {} : { passwordFile }),
    ...(caFile === undefined ? {} : { caFile }),
    leaveNothing: options.localDir === undefined,
  };
}

/** The state folder, or a worker's own one. */
function ownFolder({ options, home }: Serving, server: StateServer | undefined): string {
  // The document tells nothing of a folder.
  if (options.openapi) return "";
  if (server !== undefined) return options.localDir ?? resolve(home.state, "workers", randomUUID());
  return options.state === undefined ? newFolder(options.ephemeral, home) : resolve(options.state);
}

/** Where none is named: what leaves nothing behind does not touch the state that is kept. */
function newFolder(ephemeral: boolean, home: Home): string {
  if (!ephemeral) return resolve(home.state, "serve");
  const folder = makeTemporaryFolder("serve");
  process.once("exit", () => removeTemporaryFolder(folder));
  return folder;
}

/** Prints the OpenAPI document; without a fixed port its server is relative. */
function printDocument({ output }: Invocation, options: SandboxOptions): void {
  const server = options.port === 0 ? "/" : originOf(options.host, options.port, options.tls !== undefined);
  output.exact(`${safeJson(describeService(options, server), 2)}\n`);
}

function readRequired(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const paths = text.split(",").map((path) => path.trim());
  const unknown = paths.find((path) => !CHECK_FIELDS.some((field) => field.path === path));
  if (unknown === undefined) return paths;
  throw usage`--require does not know the field "${unknown}"; the fields are ${whole(CHECK_FIELDS.map((field) => field.path).join(", "))}.`;
}

/** One JSON object per line, for an embedded sandbox, which has no terminal. */
async function logToFile(stateDir: string): Promise<SandboxOptions["log"]> {
  await ensureStateFolder(stateDir);
  const file = openLineFile(join(stateDir, "sandbox.log"), LOG_LIMIT_BYTES);
  return (entry) => file.write(entry);
}

function logToOutput(output: Output): SandboxOptions["log"] {
  const lines = gatherLines((text) => output.note(text.slice(0, -1)));
  return (entry) => lines.write(entry);
}

function announce(
  invocation: Pick<Serving, "options" | "output">,
  options: SandboxOptions,
  { port, adminPort, secureAdminPort, keysFile }: RunningSandbox,
): void {
  const { host, recipe, adminHost = DEFAULT_HOST } = options;
  const isTls = options.tls !== undefined;
  const url = originOf(host, port, isTls);
  const localUrl = adminPort === 0 ? null : originOf(DEFAULT_HOST, adminPort, false);
  const adminUrl = secureAdminPort === null ? localUrl : originOf(adminHost, secureAdminPort, true);
  const tokenFile = options.adminTokenFile ?? join(options.stateDir, "endpoint.json");
  if (!isLoopbackHost(host) && !isTls) {
    invocation.output.complain(
      "It speaks plain HTTP: anyone on its network can read the secrets that it issues and the payments that it gets; add --tls-cert and --tls-key, or leave --host out to be reached from this machine alone.",
    );
  }
  sayDone(
    invocation,
    {
      url,
      tls: isTls,
      admin_url: adminUrl,
      admin_token_file: adminUrl && tokenFile,
      state: options.server?.address ?? options.stateDir,
      keys_file: keysFile,
      recipe: recipe.recipe,
      tenant: DEFAULT_TENANT,
      pid: process.pid,
    },
    `The sandbox listens on ${safe(url)} (recipe ${recipe.recipe}).`,
    adminUrl && `Administrative plane: ${safe(adminUrl)}; its token is in ${safe(tokenFile)}.`,
    keysFile && `Integration keys: ${safe(keysFile)} (readable by you alone).`,
    "Ctrl-C ends it.",
  );
}
