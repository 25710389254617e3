// Fields of the replay form: source, project, baseline, time, isolation and speed. Pure.

import { join } from "node:path";
import { ISOLATED_PROJECT } from "#src/app/isolated.ts";
import { CURRENT, STARTER } from "#src/app/named-rules.ts";
import { typedPath } from "#src/app/typed-path.ts";
import { Fault, whole } from "#src/contract/fault.ts";
import { CARRIED } from "#src/contract/records/flip.ts";
import {
  AGAIN_KINDS,
  readRunTime,
  withoutVerdict,
  type ItemChoice,
  type RunInfo,
  type RunTime,
} from "#src/contract/records/run.ts";
import { payloadTagsProblem, readTags } from "#src/contract/records/saved-payload.ts";
import { counted } from "#src/display/count.ts";
import type { KeyName } from "#src/display/key-name.ts";
import { formatDateTime } from "#src/display/time.ts";
import {
  choiceOf,
  createForm,
  textOf,
  type EntryField,
  type EntryForm,
  type Remark,
} from "#src/state/entry-form.ts";

/** What the form offers to choose from. */
export interface SetupOffer {
  /** Keys of the projects that have a credential; without any, a replay can only be isolated. */
  readonly projects: readonly string[];
  readonly project: string | null;
  /** Newest first. */
  readonly runs: readonly RunInfo[];
  /** Id of the run that was taken as the baseline; null for the last one of the same payloads. */
  readonly baseline: string | null;
  /** The run of which only some items are sent again, in the words of `againWords`; null for any source. */
  readonly again?: { readonly run: RunInfo; readonly words: readonly [string, ...string[]] } | null;
  /** The form of the last replay, whose words the new one begins with, but for project and baseline. */
  readonly last?: EntryForm | null;
  readonly keyName: KeyName;
}

/** What the form asks for, without what is always the same. */
export interface SetupInput extends Pick<ItemChoice, "onlyTags" | "skipTags"> {
  readonly source: string;
  readonly project: string;
  readonly time: RunTime | undefined;
  /** Rules of a sandbox of its own, in the words of `readRuleText`; null for the service of the profile. */
  readonly isolated: string | null;
  readonly freshOrderIds: boolean;
  readonly concurrency: number;
  readonly ratePerS: number | null;
}

/** Stands for the folder of the saved payloads. */
export const SAVED_PAYLOADS = "saved payloads";

/** Stands for the last finished run of the payloads of the source, which `chosenBaseline` finds. */
export const LAST_OF_SAME = "the last run of these payloads";

/** Not isolated. */
const NO = "no";
const A_FILE = "a file";
const FRESH = "fresh ones";
const AS_SAVED = "as saved";
export const DEFAULT_CONCURRENCY = 8;
const MOST_CONCURRENCY = 256;
/** Older runs are compared from the list of runs. */
const RUNS_OFFERED = 30;

export function createSetup(offer: SetupOffer): EntryForm {
  const { runs, baseline, again = null, last = null, keyName } = offer;
  const project = again?.run.project ?? offer.project;
  const [first = ISOLATED_PROJECT, ...others] = offer.projects;
  const projects = [first, ...others] as const;
  const isolations = [CURRENT, STARTER, A_FILE] as const;
  const offered = runs.slice(0, RUNS_OFFERED);
  const chosen = runs.find(({ id }) => id === baseline);
  if (chosen !== undefined && !offered.includes(chosen)) offered.push(chosen);
  const fields: EntryField[] = [
    again === null
      ? {
          kind: "text",
          path: "source",
          label: "Source",
          help: `A file or folder (${keyName("replay.field.tab")} completes), history:<filter>, run:<id>, or ${SAVED_PAYLOADS}.`,
          initial: SAVED_PAYLOADS,
          isPath: true,
          remark: (text) => (text.trim() === "" ? required() : null),
        }
      : {
          kind: "choice",
          path: `${RUN}${again.run.id}`,
          label: "Again",
          help: "Items of the run to send once more; failed: all without a trustworthy verdict.",
          choices: again.words,
          initial: again.words[0],
        },
    tagField("onlyTags", "Only tags", "Only payloads with one of these tags; empty for all."),
    tagField("skipTags", "Skip tags", "No payload with one of these tags."),
    {
      kind: "choice",
      path: "project",
      label: "Project",
      help: "The project whose credential signs the checks.",
      choices: projects,
      initial: projects.find((key) => key === project) ?? first,
    },
    {
      kind: "choice",
      path: "baseline",
      label: "Compare with",
      help: "The last finished run of the same payloads, another run, or the verdicts that the payloads bring along.",
      choices: [LAST_OF_SAME, CARRIED, ...offered.map(runLabel)],
      initial: chosen === undefined ? LAST_OF_SAME : runLabel(chosen),
    },
    {
      kind: "text",
      path: "time",
      label: "Time",
      placeholder: "recorded where a sandbox can, else now",
      help: "now: at once; recorded: a sandbox uses the time of each payment; x60: recorded intervals, sixty times faster.",
      remark: (text) =>
        text.trim() === "" || readRunTime(text.trim()) !== null
          ? null
          : wrong("takes now, recorded, or a speed such as x1 or x60"),
    },
    {
      kind: "choice",
      path: "isolated",
      label: "Isolated",
      help: "A temporary sandbox decides, without earlier counts, by these rules.",
      choices: offer.projects.length === 0 ? isolations : [NO, ...isolations],
      initial: offer.projects.length === 0 ? CURRENT : NO,
    },
    ruleFile(keyName),
    {
      kind: "choice",
      path: "orderIds",
      label: "Order ids",
      help: "A service may return a stored answer for a known order id; new order ids get a new decision.",
      choices: [AS_SAVED, FRESH],
      initial: AS_SAVED,
    },
    {
      kind: "text",
      path: "concurrency",
      label: "Concurrency",
      help: `Checks under way at once, 1 to ${MOST_CONCURRENCY}.`,
      initial: String(DEFAULT_CONCURRENCY),
      remark: (text) =>
        wholeNumber(text, MOST_CONCURRENCY) === null ? wrong(`must be 1 to ${MOST_CONCURRENCY}`) : null,
    },
    {
      kind: "text",
      path: "rate",
      label: "Rate",
      placeholder: "as fast as the concurrency allows",
      help: "Checks started in a second; empty for as fast as the concurrency allows.",
      remark: rateRemark,
    },
  ];
  const form = createForm(fields);
  if (last === null) return fitFields(form, keyName);
  const isolated = isolationOf(last) === NO ? isolationOf(form) : isolationOf(last);
  const choices = { ...form.choices, isolated, orderIds: choiceOf(last, "orderIds") };
  return fitFields({ ...form, texts: { ...form.texts, ...last.texts }, choices }, keyName);
}

const RULE_FILE = "rules";

const ruleFile = (keyName: KeyName): EntryField => ({
  kind: "text",
  path: RULE_FILE,
  label: "Rule file",
  placeholder: "rules.yaml",
  help: `The file with the rules that decide; ${keyName("replay.field.tab")} completes its name.`,
  isPath: true,
  remark: (text) => (text.trim() === "" ? required() : null),
});

/** Kinds of items of a run that there are to be sent again, with their counts where they are known: `failed 3`. */
export function againWords({ summary }: RunInfo, changed: number | undefined): string[] {
  if (summary === null) return [...AGAIN_KINDS];
  const { counts } = summary;
  const { refused, unknown } = counts;
  const found = { failed: withoutVerdict(counts), refused, unknown, changed };
  return AGAIN_KINDS.filter((kind) => found[kind] !== 0).map((kind) => `${kind} ${found[kind] ?? ""}`.trim());
}

const RUN = "run:";

/** What is typed, or the chosen items of a run: the path of that field is its source without the kind. */
export function sourceOf(form: EntryForm): string {
  const again = form.fields.find(({ path }) => path.startsWith(RUN));
  if (again === undefined) return textOf(form, "source").trim();
  return `${again.path}:${choiceOf(form, again.path).split(" ")[0]}`;
}

function tagField(path: "onlyTags" | "skipTags", label: string, help: string): EntryField {
  return {
    kind: "text",
    path,
    label,
    help,
    remark: (text) =>
      payloadTagsProblem(readTags(text)) === null ? null : wrong("takes words, separated by commas"),
  };
}

function tagsOf(form: EntryForm, path: "onlyTags" | "skipTags"): readonly string[] | undefined {
  const tags = readTags(textOf(form, path));
  return tags.length === 0 ? undefined : tags;
}

/** The form with the field of a rule file where one is asked for, and without it elsewhere. */
export function fitFields(form: EntryForm, keyName: KeyName): EntryForm {
  const others = form.fields.filter(({ path }) => path !== RULE_FILE);
  const at = others.findIndex(({ path }) => path === "isolated") + 1;
  return {
    ...form,
    fields: isolationOf(form) === A_FILE ? others.toSpliced(at, 0, ruleFile(keyName)) : others,
  };
}

/** Whether nothing is sent to the service of the profile. */
export function isIsolated(form: EntryForm): boolean {
  return isolationOf(form) !== NO;
}

function isolationOf(form: EntryForm): string {
  return choiceOf(form, "isolated");
}

/** The rules of a sandbox of its own; null where none is wanted, empty where their file is not named yet. */
function rulesWord(form: EntryForm): string | null {
  const isolation = isolationOf(form);
  if (isolation !== A_FILE) return isolation === NO ? null : isolation;
  const path = textOf(form, RULE_FILE).trim();
  return path === "" ? "" : typedPath(path);
}

/** What a form without errors asks for. */
export function setupInput(form: EntryForm): SetupInput {
  const rate = textOf(form, "rate").trim();
  const time = textOf(form, "time").trim();
  return {
    source: sourceOf(form),
    onlyTags: tagsOf(form, "onlyTags"),
    skipTags: tagsOf(form, "skipTags"),
    project: choiceOf(form, "project"),
    time: readRunTime(time) ?? undefined,
    isolated: rulesWord(form),
    freshOrderIds: choiceOf(form, "orderIds") === FRESH,
    concurrency: wholeNumber(textOf(form, "concurrency"), MOST_CONCURRENCY) ?? DEFAULT_CONCURRENCY,
    ratePerS: rate === "" ? null : Number(rate),
  };
}

/** The source as a replay understands it. */
export function sourceWord(source: string, data: string): string {
  return source === SAVED_PAYLOADS ? payloadsFolder(data) : source;
}

/** How a payload is saved, as a sentence. */
export const howToSave = (keyName: KeyName): string =>
  `${keyName("history.save")} on History saves a check as a payload, and ${keyName("check.save")} on Check saves what is composed.`;

/** Where nothing is saved yet, which is no wrong name. */
export const noPayload = (keyName: KeyName): string => `There is no saved payload yet. ${howToSave(keyName)}`;

/** What was wrong with a source, for people. */
export function sourceFault(source: string, fault: Fault, keyName: KeyName): Fault {
  return source === SAVED_PAYLOADS && fault.code === "usage"
    ? new Fault("usage", whole(noPayload(keyName)))
    : fault;
}

/** The sources of a run as people call them. */
export function sourceText(sources: readonly string[], data: string): string {
  const folder = payloadsFolder(data);
  const named = (source: string): string => {
    const ids = /^history:id:(\S+)$/.exec(source)?.[1]?.split(",");
    if (ids !== undefined) return `${counted(ids.length, "check")} selected in the history`;
    return source === folder ? SAVED_PAYLOADS : source;
  };
  return sources.map(named).join(", ");
}

function payloadsFolder(data: string): string {
  return join(data, "payloads");
}

/** A run in a word or two that no other run has. */
export function runLabel({ id, at, summary }: RunInfo): string {
  const items = summary === null ? "" : `, ${counted(summary.counts.total, "item")}`;
  return `run of ${formatDateTime(at)}${items} (${id.slice(-4)})`;
}

function rateRemark(text: string): Remark | null {
  if (text.trim() === "") return null;
  const rate = Number(text);
  return Number.isFinite(rate) && rate > 0 && rate <= 100_000 ? null : wrong("must be a number above 0");
}

function wholeNumber(text: string, most: number): number | null {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return value >= 1 && value <= most ? value : null;
}

function required(): Remark {
  return wrong("is required");
}

function wrong(text: string): Remark {
  return { severity: "error", text };
}
