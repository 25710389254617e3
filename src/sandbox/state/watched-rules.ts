// The active rule set, its watched file, and hit counts of its rules since the start.

import { unwatchFile, watchFile, type StatsListener } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Fault, storage, usage } from "#src/contract/fault.ts";
import { DOCUMENT_LIMIT_BYTES } from "#src/contract/text/document-limit.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { RuleOutcome } from "#src/contract/wire/explanation.ts";
import type { RuleActivity, RulesReading, RulesText } from "#src/contract/wire/sandbox-wire.ts";
import { loadRules, type RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { readWhole, replaceDurably } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { storageFault, systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import type { MaybePromise } from "./sandbox-state.ts";
import { createTurns } from "./turns.ts";

export interface WatchedRules {
  /** The active rule set; read it for each decision. */
  readonly current: RuleSet;
  /** Path of the watched file. */
  readonly file: string;
  /** Null while the starter rules are active. */
  readonly fromFile: string | null;
  /** Why the current file is not active; null when it is. */
  readonly error: RulesReading["error"];
  reading(): MaybePromise<RulesReading>;
  /** Counts the outcomes of one decision, by rule index. */
  note(ruleSet: RuleSet, outcomes: readonly RuleOutcome[]): void;
  /** Reloads the file. An invalid file changes nothing; without a file the starter rules become active. */
  reload(): Promise<void>;
  /** Text of the active rules, or of the invalid file. */
  text(): Promise<RulesText>;
  /**
   * Replaces the file.
   * @param name of the text in messages; the file's own name when absent
   * @throws Fault, with line and column, for invalid rules; the file is unchanged then
   */
  save(text: string, name?: string): Promise<void>;
  /** Removes the file. @throws Fault `usage` when the file was given as an option */
  remove(): Promise<void>;
  close(): void;
}

export interface WatchedRulesOptions {
  readonly file: string;
  /** True when the file was given as an option: it must exist and be valid at the start. */
  readonly named: boolean;
  /** Keeps the text of the last valid file, which is active after a restart while the file is invalid. Not for a given file. */
  readonly lastGood: LastGood;
  /** In place of the starter rules. */
  readonly ruleSet?: RuleSet | undefined;
  readonly realNow: () => Milliseconds;
  /** Called after every change of the file, with its error or null. */
  readonly onReload: (problem: string | null) => void;
}

/** Undefined where no file was active. */
export interface LastGood {
  readonly text: string | undefined;
  save(text: string | undefined): Promise<void>;
}

const POLL_MS: Milliseconds = 500;
const STARTER = "starter-rules.yaml";

type Activity = { -readonly [K in "hits" | "shadowHits" | "notEvaluated" | "lastHitAt"]: RuleActivity[K] };

const NOTHING_DONE: Readonly<Activity> = { hits: 0, shadowHits: 0, notEvaluated: 0, lastHitAt: null };

/** @throws Fault `usage`, or the error of a given file */
export async function openWatchedRules(options: WatchedRulesOptions): Promise<WatchedRules> {
  const { file, named, lastGood, realNow, onReload } = options;
  const starter = options.ruleSet ?? (await loadStarter());
  let error: RulesReading["error"] = null;
  let loadedAt = realNow();
  let fromFile = false;
  let kept = named ? undefined : lastGood.text;
  const { inTurn } = createTurns();
  const activity = new Map<string, Activity>();
  const countedSince = realNow();

  const firstText = await readText(file, named);
  if (named && firstText === null) {
    throw usage`There is no rule file ${file}; --rules takes one that is there.`;
  }
  let current = named ? await loadRules(firstText!, basename(file)) : starter;
  if (named) fromFile = true;
  else if (firstText === null) await keepLastGood();
  else await takeFirst(firstText);

  /**
   * Makes the rules of a text active; wrong ones change nothing.
   * @param loaded of this text, perhaps: a large one takes a second
   * @returns what is wrong with them
   */
  async function activate(text: string, loaded?: RuleSet): Promise<Fault | null> {
    try {
      const ready = [current, loaded].find((each) => each?.text === text);
      current = ready ?? (await loadRules(text, basename(file)));
      return null;
    } catch (fault) {
      if (fault instanceof Fault) return fault;
      throw fault;
    }
  }

  async function take(text: string, loaded?: RuleSet): Promise<void> {
    const fault = await activate(text, loaded);
    error = fault === null ? null : { message: fault.message, at: realNow() };
    if (fault !== null) return;
    fromFile = true;
    loadedAt = realNow();
    await keepLastGood();
  }

  /** Saves the active rules. After a failure the next start falls back to the starter rules. */
  async function keepLastGood(): Promise<void> {
    const text = fromFile ? current.text : undefined;
    if (named || text === kept) return;
    kept = text;
    await lastGood.save(text).catch(() => undefined);
  }

  /** An embedded sandbox restarts between two commands: the last valid rules stay active while the file is invalid. */
  async function takeFirst(text: string): Promise<void> {
    await take(text);
    if (error === null) return;
    if (kept !== undefined) fromFile = (await activate(kept)) === null;
  }

  /** One after another. @param loaded content of the file, unless another process has changed it since */
  const reload = (loaded?: RuleSet): Promise<void> => inTurn(() => readAgain(loaded));

  async function readAgain(loaded?: RuleSet): Promise<void> {
    let text: string | null;
    try {
      text = await readText(file, named);
    } catch (failure) {
      error = { message: (failure as Fault).message, at: realNow() };
      return onReload(error.message);
    }
    if (text !== null) await take(text, loaded);
    else if (named) error = { message: `${file} is gone; the rules that were in it go on.`, at: realNow() };
    else if (fromFile) {
      current = starter;
      fromFile = false;
      loadedAt = realNow();
      error = null;
      await keepLastGood();
    }
    onReload(error?.message ?? null);
  }

  const changed: StatsListener = (now, before) => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) {
      void reload().catch(() => undefined);
    }
  };
  // By polling, because editors replace files in ways that fs.watch does not follow on every system.
  watchFile(file, { interval: POLL_MS, persistent: false }, changed);

  return {
    get current() {
      return current;
    },
    file,
    get fromFile() {
      return fromFile ? file : null;
    },
    get error() {
      return error;
    },
    reading() {
      const { name, hash, rules } = current;
      return {
        name,
        hash,
        file,
        fromFile,
        loadedAt,
        countedSince,
        error,
        rules: rules.map(({ code, mode }) => ({
          code,
          mode,
          ...(activity.get(code) ?? NOTHING_DONE),
        })),
      };
    },
    note({ rules }, outcomes) {
      for (let i = 0; i < rules.length; i++) {
        const { code, mode } = rules[i]!;
        const outcome = outcomes[i];
        if (outcome === "no_hit" || mode === "off") continue;
        let done = activity.get(code);
        if (done === undefined) activity.set(code, (done = { ...NOTHING_DONE }));
        if (outcome === "not_evaluated") {
          done.notEvaluated += 1;
          continue;
        }
        if (mode === "shadow") done.shadowHits += 1;
        else done.hits += 1;
        done.lastHitAt = realNow();
      }
    },
    reload: () => reload(),
    async text() {
      const text = await readText(file, named);
      return { text: text ?? (await readStarterText()), fromFile: text !== null };
    },
    async save(text, name = basename(file)) {
      const loaded = await loadRules(text, name);
      await withStorageFaults(file, () => replaceDurably(file, Buffer.from(text), nodeFileSystem, null));
      await reload(loaded);
    },
    async remove() {
      if (named)
        throw usage`This sandbox was started with --rules ${file}; change that file, or start it without --rules.`;
      await withStorageFaults(file, () => rm(file, { force: true }));
      await reload();
    },
    close: () => unwatchFile(file, changed),
  };
}

let starterSet: Promise<RuleSet> | undefined;

/** Once for all tenants: its own tests run when it is loaded. */
export function loadStarter(): Promise<RuleSet> {
  return (starterSet ??= readStarterText().then((text) => loadRules(text, STARTER)));
}

export async function readStarterText(): Promise<string> {
  return (await import("#src/rules/rule-file/starter-rules.yaml")).default;
}

/**
 * Null where there is no file.
 * @param named whether the user gave the path: only then symbolic links are followed
 * @throws Fault `storage`, also for anything but a regular file, as reading a FIFO would block
 */
async function readText(file: string, named: boolean): Promise<string | null> {
  try {
    if (!named) return (await readWhole(file, nodeFileSystem))?.toString("utf8") ?? null;
    const found = await stat(file);
    if (found.size > DOCUMENT_LIMIT_BYTES) {
      throw storage`${file} is larger than 5 MiB; name another one with --rules.`;
    }
    if (found.isFile()) return await readFile(file, "utf8");
  } catch (failure) {
    if (systemCode(failure) === "ENOENT") return null;
    throw storageFault(failure, file);
  }
  throw storage`${file} is not a regular file; give another file with --rules.`;
}
