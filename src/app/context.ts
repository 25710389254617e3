// Composition root: builds the context of all use cases from a home, a profile, the environment and the clock.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { ActionContext, Addresses, Service } from "#src/actions/action-context.ts";
import { guardedClient } from "#src/actions/check/may-send.ts";
import type { Client, ClientOptions } from "#src/client/client.ts";
import { interrupted, usage, whole } from "#src/contract/fault.ts";
import type { AttemptEvent } from "#src/contract/records/exchange.ts";
import { acceptedForms, recipeStatus, SANDBOX_PROFILE, type Profile } from "#src/contract/records/profile.ts";
import { Secret } from "#src/contract/secret.ts";
import type { IntegrationKey } from "#src/contract/wire/credential.ts";
import type { RecipeBook } from "#src/signing/recipes/recipe-book.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import type { DatabaseOptions } from "#src/storage/database/table-database.ts";
import type { Drafts } from "#src/storage/documents/drafts.ts";
import type { DividerMemory } from "#src/storage/documents/divider-memory.ts";
import type { FilterMemory } from "#src/storage/documents/filter-memory.ts";
import type { Profiles } from "#src/storage/documents/profiles.ts";
import type { ProjectMemory } from "#src/storage/documents/project-memory.ts";
import { requireSafeFolder } from "#src/storage/folders-above.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { sandboxStateDir, type Home } from "./home.ts";
import { readNetwork } from "./network.ts";
import type { LeasedSandbox } from "./sandbox-launch.ts";
import { VERSION } from "./version.ts";

export interface ContextOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** Name given by `--profile`; undefined for the one in use. */
  readonly profile: string | undefined;
  /** A connection for each call to the service, instead of kept ones. */
  readonly freshConnections?: boolean;
  /** node and the built program, for the embedded sandbox */
  readonly executable: readonly string[];
  /**
   * Asks for the passphrase of the vault; `problem` is why the previous one was not accepted. Rejects with
   * Fault("vault_locked") when nobody can be asked. Without it, a vault without a passphrase command stays locked.
   */
  readonly askPassphrase?: (problem: string | null) => Promise<Secret>;
  /** Called for every document that was found damaged. */
  readonly onProblem: OnProblem;
  /** True for the console, where database work must not block drawing. */
  readonly databaseInWorker?: boolean;
  /** Called for each request of each call to the service. */
  readonly onAttempt?: (event: AttemptEvent) => void;
  /** Set for tours and decks: a temporary sandbox. */
  readonly ephemeral?: { readonly seed: number; readonly startAt: number };
}

export interface Context extends ActionContext {
  readonly home: Home;
  profiles(): Promise<Profiles>;
  /** Signing recipes: the built-in ones and the documents in the configuration folder. */
  recipes(): Promise<RecipeBook>;
  /** Where the dividers of the console stand. */
  dividers(): Promise<DividerMemory>;
  /** The last filters of the history. */
  filters(): Promise<FilterMemory>;
  /** When the projects were chosen last. */
  projectMemory(): Promise<ProjectMemory>;
  /** What stood in the form of a check when the console was left. */
  drafts(): Promise<Drafts>;
  /** The leased embedded sandbox of `service()`; null for another profile, or before the first call of `service()`. */
  sandbox(): LeasedSandbox | null;
  /** Closes everything that was opened, and aborts a service that is being opened; none is opened afterwards. */
  close(): Promise<void>;
}

/** The address to which vault entries of the embedded sandbox are bound, because its port changes at every start. */
const EMBEDDED = "embedded:sandbox";

/**
 * Builds the context; files and connections are opened on first use.
 * @throws Fault("usage") for an unknown profile, Fault("storage") for a home that another account could replace
 */
export async function createContext(options: ContextOptions): Promise<Context> {
  const { home, onProblem } = options;
  // A temporary home holds nothing of value, and lies in a shared folder.
  if (options.ephemeral === undefined && home.isNowhere !== true) {
    for (const folder of [home.config, home.data, home.state]) requireSafeFolder(folder);
  }
  const profiles = once(async () => {
    const { openProfiles } = await import("#src/storage/documents/profiles.ts");
    return openProfiles({ path: join(home.config, "profiles.json"), onProblem });
  });
  // One object for all that is built here: what binds it later binds them all.
  const profile = { ...(await findProfile(home, profiles, options.profile)) };

  const vault = once(async () => {
    const { openVault } = await import("#src/vault/vault.ts");
    return openVault({
      documentPath: join(home.data, "vault.json"),
      keyPath: join(home.state, "vault.key"),
      settingsPath: join(home.config, "vault.json"),
      newId,
      onProblem,
      async runCommand(command) {
        const { passphraseCommandRunner } = await import("#src/vault/passphrase-command.ts");
        return passphraseCommandRunner(options.env)(command);
      },
      ...(options.askPassphrase === undefined ? {} : { askPassphrase: options.askPassphrase }),
    });
  });
  const projects = once(async () => {
    const { openProjects } = await import("#src/storage/documents/projects.ts");
    return openProjects({ path: join(home.data, "projects.json"), onProblem });
  });
  /** What the two databases have in common. */
  const database = (what: "history" | "runs"): DatabaseOptions => {
    const path = join(home.data, `${what}.db`);
    return {
      path,
      onNotice: (message) => onProblem({ path, message, isNew: true }),
    };
  };
  const history = once(async () => {
    const { openHistory } = await import("#src/storage/database/history.ts");
    return openHistory({ ...database("history"), inWorker: options.databaseInWorker === true });
  });
  const payloads = once(async () => {
    const { openPayloads } = await import("#src/storage/documents/payloads.ts");
    return openPayloads({
      dir: join(home.data, "payloads"),
      numbering: profile.currencyNumbering,
    });
  });
  const runs = once(async () => {
    const { openRuns } = await import("#src/storage/database/runs.ts");
    const inWorker = options.databaseInWorker === true ? "everything" : "writes";
    const { path } = database("history");
    return openRuns({ ...database("runs"), history: path, now, inWorker });
  });
  const recipes = once(async () => {
    const { openRecipes } = await import("./recipes.ts");
    return openRecipes(home);
  });
  const filters = once(async () => {
    const { openFilterMemory } = await import("#src/storage/documents/filter-memory.ts");
    return openFilterMemory({ path: join(home.state, "filters.json"), onProblem });
  });
  const dividers = once(async () => {
    const { openDividerMemory } = await import("#src/storage/documents/divider-memory.ts");
    return openDividerMemory({ path: join(home.state, "dividers.json"), onProblem });
  });
  const projectMemory = once(async () => {
    const { openProjectMemory } = await import("#src/storage/documents/project-memory.ts");
    return openProjectMemory({ path: join(home.state, "project-uses.json"), onProblem });
  });
  const drafts = once(async () => {
    const { openDrafts } = await import("#src/storage/documents/drafts.ts");
    return openDrafts({ path: join(home.state, "drafts.json"), onProblem });
  });
  const findRecipe = async (id: string): Promise<Recipe> => {
    const { isPreset, recipeById } = await import("#src/signing/recipes/presets.ts");
    return isPreset(id) ? recipeById(id) : (await recipes()).byId(id);
  };
  const calling = (): Calling => ({
    network: {
      ...readNetwork(options.env, profile),
      freshConnections: options.freshConnections === true,
    },
    onAttempt: options.onAttempt,
  });
  const closing = new AbortController();
  let leased: LeasedSandbox | null = null;
  const openService = async (): Promise<Service> => {
    if (profile.environment !== "SANDBOX") return remoteService(profile, calling(), findRecipe);
    const { leaseSandbox } = await import("./sandbox-launch.ts");
    leased = await leaseSandbox({
      home,
      version: VERSION,
      executable: options.executable,
      env: options.env,
      ephemeral: options.ephemeral ?? null,
      onProblem: (message) => onProblem({ path: sandboxStateDir(home), message, isNew: true }),
      signal: closing.signal,
    });
    return embeddedService(profile, calling(), findRecipe, leased);
  };
  let opened: Promise<Service> | null = null;
  const service = (): Promise<Service> => {
    // An embedded sandbox that ended during the session is started again with its state on disk.
    if (opened !== null && leased?.lease.isHeld() === false) {
      leased = null;
      void closeClient(opened).catch(() => undefined);
      opened = null;
    }
    if (opened === null) {
      if (closing.signal.aborted) return Promise.reject(interrupted`Stopped while leaving.`);
      const opening = openService();
      opened = opening;
      // A failed opening is retried at the next call.
      opening.catch(() => {
        if (opened === opening) opened = null;
      });
    }
    return opened;
  };

  return {
    home,
    profile,
    addresses: () =>
      profile.environment === "SANDBOX" ? { baseUrl: EMBEDDED, projectsUrl: EMBEDDED } : profile,
    now,
    newId,
    sleep,
    profiles,
    recipes,
    dividers,
    filters,
    projectMemory,
    drafts,
    vault,
    projects,
    history,
    payloads,
    runs,
    service,
    sandbox: () => leased,
    async close() {
      closing.abort();
      if (history.opened()) await (await history()).close();
      if (runs.opened()) await (await runs()).close();
      if (opened !== null) await closeClient(opened);
      leased?.lease.close();
    },
  };
}

async function closeClient(service: Promise<Service>): Promise<void> {
  await (await service.catch(() => null))?.client.close();
}

async function findProfile(
  home: Home,
  profiles: () => Promise<Profiles>,
  name: string | undefined,
): Promise<Profile> {
  if (home.isNowhere === true && (name ?? SANDBOX_PROFILE.name) === SANDBOX_PROFILE.name)
    return SANDBOX_PROFILE;
  const store = await profiles();
  if (name === undefined) return store.current();
  const profile = await store.get(name);
  if (profile === null) {
    const known = (await store.list()).map((each) => each.name).join(", ");
    throw usage`There is no profile "${name}"; the profiles are ${whole(known)}, and "verdict profile add" creates a profile.`;
  }
  return profile;
}

type Calling = Pick<ClientOptions, "network" | "onAttempt">;
type FindRecipe = (id: string) => Promise<Recipe>;

async function openClient(
  profile: Profile,
  calling: Calling,
  findRecipe: FindRecipe,
  addresses: Addresses & { readonly sandbox?: LeasedSandbox["endpoint"] },
): Promise<Client> {
  const [{ createClient }, recipe] = await Promise.all([
    import("#src/client/client.ts"),
    findRecipe(profile.recipe),
  ]);
  const { baseUrl, projectsUrl, sandbox } = addresses;
  const client = createClient({
    baseUrl,
    projectsUrl,
    ...(sandbox === undefined ? {} : { sandbox }),
    recipe,
    recipeStatus: recipeStatus(profile, recipe.status),
    answers: acceptedForms(profile),
    ...calling,
    now,
    ...(profile.deadlineS === undefined ? {} : { deadlineMs: profile.deadlineS * 1000 }),
  });
  // Every call to the service goes through this client, which refuses calls that the profile forbids.
  return guardedClient(client, profile);
}

async function remoteService(profile: Profile, calling: Calling, findRecipe: FindRecipe): Promise<Service> {
  return {
    client: await openClient(profile, calling, findRecipe, profile),
    takesTime: false,
    ...serviceClock(null),
    offeredKeys: () => Promise.resolve([]),
    explain: () => Promise.resolve(null),
  };
}

async function embeddedService(
  profile: Profile,
  calling: Calling,
  findRecipe: FindRecipe,
  { endpoint, admin }: LeasedSandbox,
): Promise<Service> {
  const url = `http://${endpoint.host}:${endpoint.port}`;
  const [client, clock] = await Promise.all([
    openClient(profile, calling, findRecipe, { baseUrl: url, projectsUrl: url, sandbox: endpoint }),
    admin.clock(),
  ]);
  return {
    client,
    takesTime: true,
    ...serviceClock(clock.virtualTime - now()),
    async offeredKeys(): Promise<readonly IntegrationKey[]> {
      const company = (await admin.panel()).companies[0];
      return (company?.integrationKeys ?? []).map((key) => ({
        keyId: key.keyId,
        companyId: company!.companyId,
        algorithm: key.algorithm,
        secret: new Secret(key.secret),
      }));
    },
    // A failure must not hide the verdict, which is valid without its explanation.
    explain: (id) => admin.decision(id).catch(() => null),
  };
}

/** The service's time as the local clock plus an offset that its answers correct. */
function serviceClock(known: number | null): Pick<Service, "now" | "follow" | "offsetMs" | "assumeOffset"> {
  let offset = known;
  return {
    now: () => now() + (offset ?? 0),
    follow(result) {
      const serviceTime = result.virtualTimeMs ?? result.serverDateMs;
      if (serviceTime !== null) offset = serviceTime - now();
    },
    offsetMs: () => offset,
    assumeOffset(remembered) {
      offset ??= remembered;
    },
  };
}

function now(): number {
  return Date.now();
}

/** Sortable by time in milliseconds, with 40 random bits. */
function newId(): string {
  return `${now().toString(36).padStart(9, "0")}${randomBytes(5).toString("hex")}`;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopped = interrupted`Stopped while waiting.`;
    if (signal.aborted) return reject(stopped);
    const stop = (): void => {
      clearTimeout(timer);
      reject(stopped);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener("abort", stop);
        resolve();
      },
      Math.max(0, ms),
    );
    signal.addEventListener("abort", stop, { once: true });
  });
}

interface Once<T> {
  (): Promise<T>;
  opened(): boolean;
}

function once<T>(open: () => Promise<T>): Once<T> {
  let opening: Promise<T> | null = null;
  return Object.assign(() => (opening ??= open()), { opened: () => opening !== null });
}
