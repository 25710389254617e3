// verdict serve: runs the sandbox in this process. In the program only this file and src/library import it.

import { sayDone } from "#src/cli/done.ts";
import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import type { Home } from "#src/app/home.ts";
import { sandboxStateDir } from "#src/app/sandbox-launch.ts";
import { makeTemporaryFolder, removeTemporaryFolder } from "#src/app/temporary-folder.ts";
import { VERSION } from "#src/app/version.ts";
import { namedRecipe } from "#src/cli/profiles/named-recipe.ts";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { CURRENCY_NUMBERINGS } from "#src/contract/records/profile-fields.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import { DEFAULT_TENANT } from "#src/contract/wire/sandbox-wire.ts";
import { isLoopbackHost, originOf } from "#src/contract/wire/service-url.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { describeService } from "#src/sandbox/http/openapi-route.ts";
import {
  ensureStateFolder,
  runSandbox,
  SandboxTakenFault,
  type RunningSandbox,
  type SandboxOptions,
} from "#src/sandbox/run-sandbox.ts";
import { gatherLines, openLineFile } from "#src/sandbox/state/line-file.ts";
import { readStateAddress, type StateServer } from "#src/sandbox/valkey/state-address.ts";
import type { CommandRun, Invocation } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import type { Output } from "./output.ts";

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 8787;
const DEFAULT_CREDENTIAL_DELAY_S = 5;
const HIGHEST_PORT = 65_535;
/** An address in place of a folder; a letter alone is a drive of Windows. */
const SERVER_ADDRESS = /^[a-z+]{2,}:/;
/** Size of the log file and of its predecessor, which limits the log on disk. */
const LOG_LIMIT_BYTES = 8 * 1024 * 1024;

export const serve: CommandRun = async (invocation) => {
  const documentOnly = invocation.options.flag("openapi");
  const embedded = invocation.options.flag("embedded") && !documentOnly;
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
    if (embedded && error instanceof SandboxTakenFault) return EXIT.done;
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
  return EXIT.done;
};

async function readOptions(invocation: Invocation, embedded: boolean): Promise<SandboxOptions> {
  const { options, home, output } = invocation;
  const server = embedded ? undefined : readServer(invocation);
  const stateDir = embedded ? sandboxStateDir(home) : ownFolder(invocation, server);
  const ports = { min: 0, max: HIGHEST_PORT };
  const adminPort = options.integer("adminPort", "--admin-port", ports);
  const [adminHost, adminTokenFile] = [options.text("adminHost"), options.path("adminTokenFile")];
  if (adminPort === undefined && (adminHost ?? adminTokenFile) !== undefined) {
    throw usage`--admin-host and --admin-token-file go with --admin-port.`;
  }
  const numberingOf = (option: string): CurrencyNumbering | undefined =>
    CURRENCY_NUMBERINGS.find((each) => each === options.text(option));
  return {
    host: options.text("host") ?? DEFAULT_HOST,
    port: options.integer("port", "--port", ports) ?? (embedded ? 0 : DEFAULT_PORT),
    tls: readTlsFiles(options.path("tlsCert"), options.path("tlsKey")),
    adminPort: adminPort ?? (embedded ? 0 : null),
    adminHost,
    adminTokenFile,
    stateDir,
    server,
    embedded,
    ephemeral: options.flag("ephemeral"),
    seed: options.integer("seed", "--seed", { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? null,
    startAt: options.instant("startAt", "--start-at"),
    recipe: await namedRecipe(invocation, options.text("recipe") ?? "http-signatures"),
    credentialDelayS:
      options.seconds("credentialDelay", "--credential-delay", { min: 0, max: 86_400 }) ??
      DEFAULT_CREDENTIAL_DELAY_S,
    leaveMs: 1000 * (options.seconds("drainDelay", "--drain-delay", { min: 0, max: 600 }) ?? 0),
    credentialUnsigned: options.flag("credentialUnsigned"),
    amountUnit: options.text("amountUnit") === "major" ? "major" : "minor",
    currencyNumbering: numberingOf("currencyNumbering"),
    registrationCurrencyNumbering: numberingOf("registrationCurrencyNumbering"),
    require: readRequired(options.text("require")),
    magic: !options.negated("magic"),
    rulesFile: options.path("rules"),
    version: VERSION,
    documentPage: async (document) => (await import("./interface-page.ts")).interfacePage(document),
    log: embedded ? await logToFile(stateDir) : logToOutput(output),
  };
}

/**
 * The server that `--state` names in place of a folder.
 * @throws Fault("usage") for options that do not go together
 */
function readServer({ options }: Invocation): StateServer | undefined {
  const address = options.text("state");
  const [keyFile, passwordFile, caFile] = ["stateKeyFile", "statePasswordFile", "stateCa"].map((name) =>
    options.path(name),
  );
  const localDir = options.text("localDir");
  if (address === undefined || !SERVER_ADDRESS.test(address)) {
    if ((keyFile ?? passwordFile ?? caFile ?? localDir) === undefined) return undefined;
    throw usage`--state-key-file, --state-password-file, --state-ca and --local-dir go with --state valkey://HOST:PORT.`;
  }
  // First, because a password in it can be read by others already.
  readStateAddress(address);
  if (options.flag("ephemeral")) {
    throw usage`--ephemeral does not go with a server of states, which outlives its workers; use a tenant that ends: verdict sandbox tenant create NAME --ttl 2h.`;
  }
  if (keyFile === undefined) {
    throw usage`A server of states needs --state-key-file, the key that seals secrets in it, the same for every worker; make one with (umask 077; openssl rand 32 > FILE).`;
  }
  return {
    address,
    keyFile,
    ...(passwordFile === undefined ? {} : { passwordFile }),
    ...(caFile === undefined ? {} : { caFile }),
    leaveNothing: localDir === undefined,
  };
}

/** The state folder, or a worker's own one. */
function ownFolder({ options, home }: Invocation, server: StateServer | undefined): string {
  // The document tells nothing of a folder.
  if (options.flag("openapi")) return "";
  if (server === undefined) return options.path("state") ?? newFolder(options.flag("ephemeral"), home);
  return options.path("localDir") ?? resolve(home.state, "workers", randomUUID());
}

/** Where none is named: what leaves nothing behind does not touch the state that is kept. */
function newFolder(ephemeral: boolean, home: Home): string {
  if (!ephemeral) return resolve(home.state, "serve");
  const folder = makeTemporaryFolder("serve");
  process.once("exit", () => removeTemporaryFolder(folder));
  return folder;
}

/** @throws Fault("usage") for one without the other */
function readTlsFiles(cert: string | undefined, key: string | undefined): SandboxOptions["tls"] {
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return { cert, key };
  throw usage`--tls-cert and --tls-key go together; name a certificate and its private key.`;
}

/** Prints the OpenAPI document; without a fixed port its server is relative. */
function printDocument({ output }: Invocation, options: SandboxOptions): number {
  const server = options.port === 0 ? "/" : originOf(options.host, options.port, options.tls !== undefined);
  output.exact(`${safeJson(describeService(options, server), 2)}\n`);
  return EXIT.done;
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
  invocation: Pick<Invocation, "options" | "output">,
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
