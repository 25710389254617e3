// A read-only profile: no command sends one byte to its service. Every command of the table is tried, a new one included.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CommandSpec } from "#src/cli/command.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { answer, cut, PASS, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { homeOfTests, pointAt } from "./in-process.ts";

const PAYMENT = { operation: "payment", order_id: "o-1", amount: 12_000, currency: 980 };
/** The service answers it with a cut connection, so that it may be sent again. */
const CUT = "o-cut";
const REGISTRATION = "--merchant-id other --name Other --currency 980 --risk-level low";

/** What is behind each command, where it would send to a service that may be sent to. */
const SENDING: Readonly<Record<string, readonly string[]>> = {
  check: ["FILE", "kept", "--set amount=100 --set order_id=o-9", "--again ENTRY", "FILE --no-history"],
  sweep: ["FILE --field amount --list 100,200 --confirm test"],
  "project register": [REGISTRATION, `${REGISTRATION} --wait`],
  "project credential": ["--merchant-id shop --risk-level low", "--merchant-id shop --risk-level low --wait"],
  replay: ["FILE --confirm test", "kept --confirm test", "run:RUN --confirm test", "history: --confirm test"],
  doctor: ["--online"],
};

/** The others, with what they need to come as far as they can. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  tour: [""],
  init: ["new --base-url https://check.example --key-id k --project-id p --no-check --secret-stdin"],
  "project list": [""],
  "vault list": [""],
  "vault add": [
    "--key-id k-1 --company-id c-1 --secret-stdin",
    "--merchant-id m --risk-level low --key-id k --project-id p --secret-stdin",
  ],
  "vault show": ["k-2"],
  "vault copy": ["k-2"],
  "vault restore": ["k-2"],
  "vault remove": ["nothing"],
  "vault export": ["HOME/out.age"],
  "vault import": ["FILE"],
  "vault passphrase": [""],
  "history show": ["ENTRY"],
  "history salvage": ["--yes"],
  "history prune": ["--before 2020-01-01"],
  "history export": ["--format ndjson"],
  history: [""],
  "label set": ["o-1 fraud"],
  "label import": ["FILE"],
  "label list": [""],
  "label remove": ["nothing"],
  "payload list": [""],
  "payload show": ["kept"],
  "payload save": ["again FILE"],
  "payload edit": ["kept"],
  "payload remove": ["nothing"],
  "payload pseudonymise": ["FILE --key-file HOME/stand-ins.key --output HOME/shown.ndjson"],
  "payload import": ["FILE --output HOME/imported.ndjson --yes"],
  replay: ["FILE --dry-run", "--continue RUN"],
  capture: ["--profile test --listen 127.0.0.1:0 --output HOME/captured.ndjson"],
  "run list": [""],
  "run show": ["RUN"],
  "run export": ["RUN"],
  "run import": ["FILE"],
  "run merge": ["RUN RUN"],
  "run remove": ["nothing"],
  compare: ["RUN RUN"],
  "rules check": ["FILE"],
  "rules list": ["starter", "--hits"],
  "rules print": ["", "starter"],
  "rules edit": [""],
  "rules use": ["FILE", "current", "starter --yes"],
  "rules explain": ["ENTRY"],
  "rules backtest": ["starter --against starter --over FILE", "starter --against starter --over history:"],
  "rules tune": ["starter --over FILE --param CARD_VELOCITY_1H.limit 2..4"],
  demo: ["--list"],
  "profile list": [""],
  "profile add": ["another --base-url https://check.example"],
  "profile use": ["test"],
  "profile show": ["test"],
  "profile confirm-recipe": ["test"],
  "profile remove": ["nothing"],
  completion: ["bash", "words verdict check"],
  doctor: ["", "--verify"],
  "recipe list": [""],
  "recipe show": ["http-signatures"],
  "recipe test": ["http-signatures"],
  "recipe vectors": [""],
  "recipe infer": ["--request FILE"],
  "recipe edit": ["mine"],
  "recipe remove": ["mine"],
  sign: ["FILE", "FILE --explain"],
  serve: ["--openapi"],
  schema: [""],
  docs: ["", "first-check"],
  examples: ["HOME/trial"],
  "sandbox status": [""],
  "sandbox panel": [""],
  "sandbox clock": [""],
  "sandbox faults list": [""],
  "sandbox faults add": ["check 503"],
  "sandbox faults clear": [""],
  "sandbox journal": [""],
  "sandbox snapshot": ["s"],
  "sandbox restore": ["s"],
  "sandbox reset": ["--yes"],
  "sandbox tenant create": ["ci"],
  "sandbox tenant list": [""],
  "sandbox tenant remove": ["ci --yes"],
  "sandbox company add": [""],
  "sandbox stop": [""],
};

function commandNames(specs: readonly CommandSpec[], before: string = ""): string[] {
  return specs.flatMap(({ name, load, children = [] }) => [
    ...(load === undefined ? [] : [before + name]),
    ...commandNames(children, `${before}${name} `),
  ]);
}

test("every command of the table is tried", () => {
  expect([...new Set([...Object.keys(SENDING), ...Object.keys(OTHERS)])].toSorted()).toEqual(
    commandNames(COMMANDS).toSorted(),
  );
});

describe.each(["TEST", "LIVE"])("a read-only profile of the environment %s", (environment) => {
  const home = homeOfTests();
  let service: HostileService;
  const words: Record<string, string> = {};

  /** Connections, and bytes that came through them. */
  const reached = (): readonly [connections: number, bytes: number] => [
    service.connections(),
    service.bytes(),
  ];
  const run = (command: string, line: string) => {
    const filled = line.replace(/\b(?:FILE|HOME|RUN|ENTRY)\b/g, (word) => words[word]!);
    const args = filled === "" ? [] : filled.split(" ");
    // A secret where one is asked for; elsewhere standard input would be a payload.
    return home.run([...command.split(" "), ...args], line.includes("stdin") ? "9f".repeat(32) : "");
  };

  /** The newest entry without an answer, which may be sent again. */
  const nameLastCut = async (): Promise<void> => {
    const entries = await home.json("history --json");
    words["ENTRY"] = String(entries.find(({ outcome }) => outcome === "unknown")!["id"]);
  };

  beforeAll(async () => {
    service = await startHostileService([
      (socket, request) => (request.body.includes(CUT) ? cut : answer(200, PASS))(socket, request),
    ]);
    await pointAt(home, service.url, ["--environment", environment]);
    words["HOME"] = home.folder;
    words["FILE"] = join(home.folder, "payment.json");
    writeFileSync(words["FILE"], JSON.stringify(PAYMENT));
    await run("payload save", "kept FILE");
    await run("check", `FILE --set order_id=${CUT}`);
    await run("replay", "FILE --confirm test");
    await nameLastCut();
    words["RUN"] = String((await home.json("runs list --json"))[0]!["run"]);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
  });

  test("is not needed for what these commands send otherwise", async () => {
    for (const [command, lines] of Object.entries(SENDING)) {
      for (const line of lines.filter((each) => !each.includes("--wait"))) {
        const [, before] = reached();
        const ran = await run(command, line);
        expect(reached()[1], `${command} ${line}: ${ran.stderr}`).toBeGreaterThan(before);
      }
    }
    await nameLastCut();
  });

  test("lets no command reach the service", async () => {
    expect((await run("profile add", "test --read-only")).code).toBe(0);
    const before = reached();
    for (const [command, lines] of [...Object.entries(SENDING), ...Object.entries(OTHERS)]) {
      for (const line of lines) {
        const { stdout, stderr } = await run(command, line);
        expect(reached(), `${command} ${line}: ${stdout}${stderr}`).toEqual(before);
      }
    }
  });

  test("is named by the commands that would send", async () => {
    for (const [command, lines] of Object.entries(SENDING)) {
      for (const line of lines) {
        const { code, stdout, stderr } = await run(command, line);
        if (command !== "doctor") expect(code, `${command} ${line}`).toBe(2);
        expect(stdout + stderr, `${command} ${line}`).toContain("read-only");
      }
    }
  });
});
