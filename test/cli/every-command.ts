// Each command of the table with words that make it print, in a home where there is something to print.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandSpec } from "#src/cli/command.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import type { TestHome } from "./verdict-process.ts";
import { writeOwnRecipe } from "./own-recipe.ts";

export interface CommandCase {
  /** The command with those above it, as the table has it; the option for the three that are no commands. */
  readonly name: string;
  readonly words: string;
  readonly input?: string;
  /** Exit code where everything can be written; 0 unless told. */
  readonly code?: number;
  /** Changes what others show, so that it takes its turn after them. */
  readonly changes?: true;
  /** Goes on until it is ended. */
  readonly stays?: true;
}

const SECRET = "9f".repeat(32);
const PAYLOAD = JSON.stringify({ operation: "payment", amount: 12_000, currency: 980, order_id: "o-1" });
const RULES = "rules.yaml";
/** Block the payload, so that a back-test has a changed verdict to print. */
const STRICTER = "stricter.yaml";

/** Cases that print something in an empty home, too: one of each way in which a command prints. */
export const IN_AN_EMPTY_HOME: ReadonlySet<string> = new Set([
  "--help",
  "--version",
  "help with a topic",
  "a command's own help",
  "completion",
  "rules list",
  "profile list",
  "check",
  "serve",
]);

type Words = string | Omit<CommandCase, "name">;

/** In the order in which those that change something can follow one another. */
const WORDS: Readonly<Record<string, Words>> = {
  tour: "tour",
  check: { words: "check - --dry-run --json", input: PAYLOAD },
  sweep: "sweep payload.json --field amount --list 100,200",
  "project credential": "credential --merchant-id m --risk-level low",
  "project list": "projects",
  "vault list": "vault list",
  "vault show": "vault show KEY --raw",
  "history show": "history show ENTRY",
  "history salvage": "history salvage --yes",
  "history export": "history export --format csv",
  history: "history",
  "label list": "label list",
  "payload list": "payload list",
  "payload show": "payload show one",
  "payload import": "payload import payload.json --try",
  replay: "replay payload.json --dry-run",
  capture: { words: "capture --profile other --listen 127.0.0.1:0 --output captured.ndjson", stays: true },
  "run list": "run list",
  "run show": "runs show last",
  "run export": "runs export RUN",
  "run import": "runs import run.ndjson",
  compare: "compare RUN last",
  "rules check": `rules check ${RULES}`,
  "rules list": "rules list",
  "rules print": "rules print",
  "rules explain": "rules explain ENTRY",
  "rules backtest": `rules backtest ${STRICTER} --over payload.json --unlabelled good`,
  "rules tune": `rules tune ${RULES} --over judged.csv --param CARD_VELOCITY_1H.limit 2..4`,
  demo: "demo --list",
  "profile list": "profile list",
  "profile show": "profile show sandbox",
  completion: "completion bash",
  doctor: "doctor --verify --json",
  "recipe list": "recipe list",
  "recipe show": "recipe show kong",
  "recipe test": "recipe test kong",
  "recipe vectors": "recipe vectors kong",
  "recipe infer": { words: "recipe infer --request curl.sh --secret-stdin", input: SECRET },
  schema: "schema",
  docs: "docs first-check",
  sign: { words: "sign payload.json --test-key --secret-stdin", input: SECRET },
  serve: { words: "serve --port 0 --ephemeral --state other", stays: true },
  "sandbox status": "sandbox status",
  "sandbox panel": "sandbox panel",
  "sandbox clock": "sandbox clock",
  "sandbox faults list": "sandbox faults list",
  "sandbox journal": { words: "sandbox journal --follow", stays: true },
  "sandbox tenant list": "sandbox tenant list",
  "--help": "--help",
  "-h": "-h",
  "--version": "--version",
  "-V": "-V",
  "help with a topic": "help files",
  "help with a command": "help check",
  "a command's own help": "vault add --help",
  ...changing({
    "project register": "project register --merchant-id n --name N --currency UAH --risk-level low",
    init: {
      words:
        "init fourth --base-url http://127.0.0.1:9 --key-id k-4 --project-id p-4 --no-check --secret-stdin",
      input: SECRET,
    },
    "vault add": {
      words:
        "vault add --merchant-id o --risk-level low --key-id k-2 --project-id p-2 --profile other --secret-stdin",
      input: SECRET,
    },
    "vault export": { words: "vault export keys.age --secret-stdin", input: "correct horse battery staple" },
    "vault import": {
      words: "vault import keys.age --secret-stdin --yes",
      input: "correct horse battery staple",
    },
    "vault restore": "vault restore FORMER",
    "vault remove": "vault remove KEY --yes",
    "vault passphrase": {
      words: "vault passphrase --set --secret-stdin",
      input: "correct horse battery staple",
    },
    "payload save": "payload save three payload.json",
    "payload pseudonymise":
      "payload pseudonymise payload.json --key-file stand-ins.key --output shown.ndjson --rules starter",
    "payload remove": "payload remove two --yes",
    "label set": "label set o-1 fraud",
    "label import": "label import labels.csv",
    "label remove": "label remove o-1 --yes",
    "run merge": "runs merge RUN RUN",
    "run remove": "runs remove RUN --yes",
    "profile add": "profile add third --base-url http://127.0.0.1:9",
    "profile confirm-recipe": "profile confirm-recipe other",
    "profile use": "profile use sandbox",
    "profile remove": "profile remove spare --yes",
    "recipe remove": "recipe remove mine --yes",
    "history prune": "history prune --before 2020-01-01 --yes",
    "sandbox faults add": "sandbox faults add check 503 --count 1",
    "sandbox faults clear": "sandbox faults clear",
    "rules use": `rules use ${RULES}`,
    "sandbox snapshot": "sandbox snapshot later",
    "sandbox restore": "sandbox restore early --yes",
    "sandbox reset": "sandbox reset --yes",
    "sandbox tenant create": "sandbox tenant create ci-42 --ttl 2h",
    "sandbox tenant remove": "sandbox tenant remove ci-42 --yes",
    "sandbox company add": "sandbox company add",
    examples: "examples trial",
    "sandbox stop": "sandbox stop",
  }),
};

/** Commands that have nothing for standard output without a terminal: what they show is for eyes alone. */
const FOR_EYES: ReadonlySet<string> = new Set(["vault copy", "payload edit", "recipe edit", "rules edit"]);

function changing(words: Readonly<Record<string, Words>>): Record<string, Words> {
  return Object.fromEntries(
    Object.entries(words).map(([name, given]) => [
      name,
      { ...(typeof given === "string" ? { words: given } : given), changes: true },
    ]),
  );
}

function namesOf(specs: readonly CommandSpec[], above = ""): string[] {
  return specs.flatMap((spec) => [
    ...(spec.load === undefined ? [] : [above + spec.name]),
    ...namesOf(spec.children ?? [], `${above}${spec.name} `),
  ]);
}

/** Commands of the table that have no case here: a test fails while there is one. */
export function commandsWithoutCase(): string[] {
  return namesOf(COMMANDS).filter((name) => !Object.hasOwn(WORDS, name) && !FOR_EYES.has(name));
}

/** Fills the home, and gives the cases with the names of what is in it. */
export async function everyCommand(home: TestHome): Promise<CommandCase[]> {
  writeFileSync(join(home.folder, "payload.json"), PAYLOAD);
  writeOwnRecipe(join(home.folder, "verdict", "config"), "mine");
  mkdirSync(join(home.folder, "day"));
  writeFileSync(
    join(home.folder, STRICTER),
    readFileSync(new URL("../../examples/rules.yaml", import.meta.url), "utf8")
      .replace("limit: 5000000", "limit: 5000")
      .replace("two books, expect: no_hit", "two books, expect: hit"),
  );
  writeFileSync(join(home.folder, "labels.csv"), "order_id,outcome\no-1,good\n");
  const judged = ["good", "fraud"].map((outcome) => `${outcome},payment,${outcome},12000,980\n`);
  writeFileSync(
    join(home.folder, "judged.csv"),
    `order_id,operation,outcome,amount,currency\n${judged.join("")}`,
  );
  writeFileSync(join(home.folder, "day", "one.json"), PAYLOAD);
  const succeed = async (words: string, input = ""): Promise<string> => {
    const { code, stdout, stderr } = await home.run(words, { input });
    if (code !== 0) throw new Error(`verdict ${words} ended with ${code}: ${stderr}`);
    return stdout;
  };
  await succeed("register --merchant-id m --name M --currency UAH --risk-level low");
  await succeed("sandbox clock advance 10s");
  await succeed("credential --merchant-id m --risk-level low");
  await succeed("check -", PAYLOAD);
  await succeed("label set o-1 refund --at 2026-03-01");
  for (const name of ["one", "two"]) await succeed(`payload save ${name} payload.json`);
  for (const name of ["other", "spare"]) await succeed(`profile add ${name} --base-url http://127.0.0.1:9`);
  await succeed("replay day --project m/low");
  await succeed("replay day --project m/low --fresh-order-ids");
  writeFileSync(join(home.folder, "run.ndjson"), await succeed("runs export last"));
  writeFileSync(join(home.folder, RULES), await succeed("rules print starter"));
  writeFileSync(
    join(home.folder, "curl.sh"),
    await succeed("sign payload.json --test-key --secret-stdin", SECRET),
  );
  await succeed("sandbox snapshot early");
  for (const name of ["k-8", "k-9"])
    await succeed(`vault add --key-id ${name} --company-id c-1 --profile spare --secret-stdin`, SECRET);
  const [[entry], keys, runs] = await Promise.all([
    home.json("history --json"),
    home.json("vault list --json"),
    home.json("runs list --json"),
  ]);
  return commandCases({
    ENTRY: String(entry!["id"]),
    KEY: String(keys.find((each) => each["profile"] === "sandbox")!["id"]),
    FORMER: String(keys.find((each) => each["replaced_at"] !== null)!["id"]),
    RUN: String(runs.at(-1)!["run"]),
  });
}

/** @param named what stands for the names in capitals */
export function commandCases(named: Readonly<Record<string, string>> = {}): CommandCase[] {
  return Object.entries(WORDS).map(([name, given]) => {
    const { words, ...more } = typeof given === "string" ? { words: given } : given;
    return { name, ...more, words: words.replaceAll(/\b[A-Z]+\b/g, (word) => named[word] ?? word) };
  });
}
