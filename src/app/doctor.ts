// The examination of `verdict doctor`: program, files, vault, clocks and secrecy. Changes nothing, and uses the network only
// on request.

import { join } from "node:path";
import { Fault, interrupted, usage } from "#src/contract/fault.ts";
import { findingsOf, type Finding } from "#src/contract/finding.ts";
import { answersWarning, ROLLED_BACK, whyNotSend, type Profile } from "#src/contract/records/profile.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { examineDatabases } from "#src/storage/database/examine-databases.ts";
import { HISTORY } from "#src/storage/database/history-form.ts";
import { RUNS } from "#src/storage/database/run-form.ts";
import { STATE_FILE, STATE_FORM } from "#src/storage/database/sandbox-form.ts";
import {
  examineFolders,
  type ExaminedDocument,
  type ExaminedFolder,
} from "#src/storage/documents/examine-folders.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { clockFindings, sandboxClockFinding, serviceClockFinding } from "./doctor-clock.ts";
import { historyEntries, runEntries, type Verification } from "./doctor-entries.ts";
import { vaultFindings } from "./doctor-vault.ts";
import { requireHome, type Home } from "./home.ts";
import { readNetwork } from "./network.ts";
import { joinSandbox } from "./sandbox-launch.ts";
import { readProcessFacts, secrecyFindings } from "./secrecy.ts";
import { VERSION } from "./version.ts";

export interface Examination {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** Name given by `--profile`; undefined for the one in use. */
  readonly profile: string | undefined;
  /** Whether to request the time of the profile's service. */
  readonly online: boolean;
  /** Reads every entry; null where only files are looked at. */
  readonly verification: Verification | null;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/**
 * All findings except those about the terminal, in the order of the output. Never rejects because of a finding.
 * @throws Fault("interrupted") while entries are read
 */
export async function examine(options: Examination): Promise<Finding[]> {
  const { home, env, now } = options;
  const { versions, platform, arch } = process;
  const runs = `verdict ${VERSION} runs on Node ${versions.node}, ${platform} ${arch}.`;
  const program = findingsOf("program")("ok", runs);
  const apart = [...clockFindings(now(), null), ...secrecyFindings(readProcessFacts(env))];
  const nowhere = whyNowhere(home);
  if (nowhere !== null) return [program, findingsOf("files")("problem", nowhere), ...apart];
  const files = await examineFolders(foldersOf(home), documentsOf(home), now());
  if (files.isBelowFile) return [program, ...files.findings, ...apart];
  const isDamaged = (path: string): boolean => files.damaged.includes(path);
  // Reading a damaged document would repair it, which an examination must not do.
  const found: Finding[] = [];
  const onProblem: OnProblem = ({ message }) => found.push(findingsOf("files")("problem", message));
  const profile = isDamaged(profilesOf(home)) ? null : await readProfile(options, onProblem);
  const databases = await databaseFindings(options);
  const vault = await vaultFindings(options, isDamaged, onProblem);
  return [
    program,
    ...(await programFindings(home, profile)),
    ...files.findings,
    ...databases,
    ...found,
    ...vault,
    ...clockFindings(now(), files.newestMs),
    ...(await serviceClocks(options, profile)),
    ...secrecyFindings(readProcessFacts(env)),
  ];
}

/** Why no folder is named; null where all are. */
function whyNowhere(home: Home): string | null {
  try {
    requireHome(home);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

async function databaseFindings({ home, verification }: Examination): Promise<Finding[]> {
  const [history, runs] = [join(home.data, "history.db"), join(home.data, "runs.db")];
  const opened = await examineDatabases([
    [history, HISTORY],
    [runs, RUNS],
    [join(home.state, "sandbox", STATE_FILE), STATE_FORM],
  ]);
  if (verification === null) return opened;
  const entries = [
    ...(await historyEntries(history, verification)),
    ...(await runEntries(runs, verification)),
  ];
  if (verification.signal.aborted) throw interrupted`Stopped; nothing was changed.`;
  // What cannot be opened was said already.
  return [...opened, ...entries.filter(({ what }) => opened.every((each) => each.what !== what))];
}

/** In the folder of configuration: what users write by hand. */
const HAND_WRITTEN = ["recipes", "keys", "keys.yaml", "commands.yaml", "settings.yaml"];

const profilesOf = (home: Home): string => join(home.config, "profiles.json");

function foldersOf(home: Home): ExaminedFolder[] {
  return [
    {
      path: home.config,
      known: ["profiles.json", "vault.json", ...HAND_WRITTEN],
      own: HAND_WRITTEN,
    },
    {
      path: home.data,
      known: [
        "vault.json",
        "projects.json",
        "payloads",
        "history.db",
        "history.db-wal",
        "history.db-shm",
        "runs.db",
        "runs.db-wal",
        "runs.db-shm",
      ],
      own: ["payloads"],
    },
    {
      path: home.state,
      known: [
        "vault.key",
        "dividers.json",
        "filters.json",
        "project-uses.json",
        "drafts.json",
        "sandbox",
        "serve",
        "log",
        "locks",
      ],
      own: [],
    },
  ];
}

function documentsOf(home: Home): ExaminedDocument[] {
  return [
    { path: profilesOf(home), format: "verdict/profiles" },
    { path: join(home.config, "vault.json"), format: "verdict/vault-settings" },
    { path: join(home.data, "projects.json"), format: "verdict/projects" },
    { path: join(home.data, "vault.json"), format: "verdict/vault" },
    { path: join(home.state, "vault.key"), format: "verdict/vault-key" },
    { path: join(home.state, "dividers.json"), format: "verdict/dividers" },
    { path: join(home.state, "filters.json"), format: "verdict/filters" },
    { path: join(home.state, "project-uses.json"), format: "verdict/project-uses" },
    { path: join(home.state, "drafts.json"), format: "verdict/drafts" },
  ];
}

/** The profile, or why it cannot be read. */
async function readProfile(
  { home, profile: name }: Examination,
  onProblem: OnProblem,
): Promise<Profile | Fault> {
  const { openProfiles } = await import("#src/storage/documents/profiles.ts");
  const profiles = openProfiles({ path: profilesOf(home), onProblem });
  try {
    const found = name === undefined ? await profiles.current() : await profiles.get(name);
    return found ?? usage`There is no profile "${name ?? ""}".`;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

async function programFindings(home: Home, profile: Profile | Fault | null): Promise<Finding[]> {
  const finding = findingsOf("program");
  const findings: Finding[] = [];
  if (profile instanceof Fault) findings.push(finding("problem", profile.message));
  else if (profile !== null) {
    findings.push(finding("ok", `The profile is ${escapeText(profile.name, 64)} (${profile.environment}).`));
    const answers = answersWarning(profile);
    if (answers !== null) findings.push(finding("note", answers));
    if (profile.rolledBack === true) findings.push(finding("problem", ROLLED_BACK));
  }
  const running = await joinSandbox(home);
  if (running === null) {
    findings.push(
      finding(
        "ok",
        "No sandbox runs for this data folder; verdict starts a sandbox when a command needs it.",
      ),
    );
    return findings;
  }
  running.lease.close();
  const { version, pid, port } = running.endpoint;
  findings.push(
    version === VERSION
      ? finding("ok", `The sandbox of this home runs as process ${pid} on port ${port}.`)
      : finding(
          "note",
          `The sandbox of this data folder has version ${escapeText(version, 30)}.`,
          "The next command that needs the sandbox starts the present version.",
        ),
  );
  return findings;
}

async function serviceClocks(
  { home, env, online, now, signal }: Examination,
  profile: Profile | Fault | null,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const running = await joinSandbox(home);
  if (running !== null) {
    try {
      findings.push(sandboxClockFinding((await running.admin.clock()).virtualTime - now()));
    } catch {
      // The sandbox has ended.
    } finally {
      running.lease.close();
    }
  }
  if (profile === null || profile instanceof Fault || profile.environment === "SANDBOX") return findings;
  const closed = whyNotSend(profile);
  if (!online || closed !== null) {
    const finding = findingsOf("clock");
    const what = `The time of ${escapeText(profile.name, 64)} was not requested.`;
    const next = online && closed !== null ? closed : 'Request the time with "verdict doctor --online".';
    return [...findings, finding("ok", what, next)];
  }
  const { readServiceDate } = await import("#src/client/service-date.ts");
  const answer = await readServiceDate(profile.baseUrl, readNetwork(env, profile), now, signal);
  return [...findings, serviceClockFinding(profile.name, answer)];
}
