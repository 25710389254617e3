// Presenter mode: with a canary in everything personal, no frame of any screen shows one, in any size; and what it refuses.
// A new screen is one more scene below.

import { openConsole } from "./driver.tsx";
import { describe, expect, it } from "vitest";
import type { Context } from "#src/app/context.ts";
import type { Project } from "#src/contract/records/project.ts";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { ownBindings } from "#screens/shell/own-bindings.ts";
import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { storage } from "#src/contract/fault.ts";
import type { OwnCommand } from "#src/contract/records/own-command.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import { Secret } from "#src/contract/secret.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { JournalPage } from "#src/contract/wire/sandbox-wire.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import { listedRules } from "#src/state/sandbox/rules.ts";
import { widthOf } from "#src/ui/fit.ts";
import type { Mounted } from "./harness.tsx";
import { testProgram } from "./line-program.ts";
import { RUN_AT, runInfo, runResult, runRow } from "./replay-engine.ts";
import { READING } from "./sandbox-stub.ts";
import { supposing } from "./supposing.ts";
import { answered, putCompanyKey, putCredential } from "./test-context.ts";
import { projectOf, explanationOf } from "./samples.ts";

const NOW = RUN_AT + 3_600_000;
const ENTER = "\r";
const SECRET = "feedface".repeat(6);

/** Pieces of what is personal, in lower case: short enough to survive a line break, long enough not to occur otherwise. */
const CANARIES: readonly string[] = [
  "zofia",
  "kanarek",
  "0509998877",
  "203.0.113.77",
  "4711",
  "4321",
  "2031",
  "quince",
  "kid-key",
  "cmp-comp",
  "prj-proj",
  "wombat",
  "88776655",
  "11/2031",
  "11/31",
  "1313",
  "marzipan",
];

/** What no field of the contract is, at several depths. */
const UNKNOWN = {
  passport: "WOMBAT1",
  tax_number: 88_776_655,
  address: { street: "Wombat Street", more: [{ door: "wombat-door" }] },
};

const REQUEST = {
  operation: "payment",
  order_id: "o-1041",
  amount: 12_500,
  currency: 980,
  description: "Quinces for Zofia Kanarek",
  payer: {
    payer_ip: "203.0.113.77",
    email: "zofia.k@kanarek-mail.example",
    number_phone: "+380509998877",
    payer_id: "cust-4711",
    ...UNKNOWN,
  },
  card: {
    ...UNKNOWN,
    holder: "ZOFIA KANAREK",
    bin_card: 444_433,
    cin_card: 4321,
    expiration_month: 11,
    expiration_year: 2031,
  },
  ...UNKNOWN,
} as CheckRequest;

/** What a sweep is asked about. */
const EMAILS = "zofia.k@kanarek-mail.example,quince@kanarek-mail.example";

const REASON =
  "6 payments of zofia.k@kanarek-mail.example from 203.0.113.77 with the card ending 4321 of Zofia Kanarek (11/2031), wombat street";

const EXPLANATION: Explanation = explanationOf({
  id: "decision-1",
  message: REASON,
  at: NOW,
  projectId: "prj-project-1",
  orderId: "o-1041",
  thresholds: { threeDs: 40, block: 70 },
  rules: [
    {
      code: "velocity_email",
      text: REASON,
      outcome: "hit",
      mode: "live",
      weight: 40,
      effect: "score",
      values: {
        "payer.email": "zofia.k@kanarek-mail.example",
        "domain(payer.email)": "kanarek-mail.example",
        "card.cin_card": 4321,
        "months_to_expiry()": -1313,
        "expiry()": "11/2031",
        "email_randomness()": 1313,
        'list_entry("block")': "quince",
        'velocity("email", "1h")': 6,
      },
    },
  ],
  counters: [{ key: "email", window: "1h", value: 6, limit: 3 }],
  ruleSetHash: "ab".repeat(32),
});

function entryOf(index: number, change: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id: `0mb${index}`,
    at: NOW - index * 60_000,
    profile: "sandbox",
    project: "demo-shop/medium",
    request: REQUEST,
    result: answered("block", { message: REASON, decisionId: "decision-1" }),
    finalAction: null,
    repeats: null,
    warnings: [`payer.email "zofia.k@kanarek-mail.example" is seldom seen.`],
    explanation: EXPLANATION,
    note: "Called Zofia Kanarek back",
    ...change,
  };
}

const ROW: RunRow = runRow(1, {
  request: REQUEST,
  result: runResult("block", { message: REASON }),
  key: "o-1041",
  origin: "/home/zofia/kanarek.ndjson:7",
  label: "chargeback",
});
const EARLIER: RunRow = { ...ROW, result: runResult("pass") };

/** A file that a user named, and a command of the user's own. */
const FILE = "/home/marzipan cake/rules.yaml";
const OWN: OwnCommand = {
  name: "marzipan-ticket",
  key: "f6",
  label: "ticket of Marzipan",
  run: ["/home/marzipan/ticket", "{order_id}"],
  on: ["check"],
  sends: false,
  wait: true,
};

const JOURNAL: JournalPage = {
  entries: [
    {
      number: 1,
      at: new Date(NOW).toISOString(),
      virtual_time: new Date(NOW).toISOString(),
      request_id: "request-1",
      call: "check",
      method: "POST",
      path: "/check",
      body_bytes: 200,
      status: 401,
      latency_ms: 1,
      error: "unauthorized",
      reason: "the key kid-key-2 signs otherwise",
      key_id: "kid-key-2",
      project_id: "prj-project-1",
      string_to_sign: null,
      decision: null,
      recommendation: null,
      repeat: false,
      magic: null,
      faults: [],
    },
  ],
  last: 1,
};

const PROJECT: Project = projectOf({
  companyId: "cmp-company-1",
  merchantId: "demo-shop",
  name: "Kanarek & Zofia",
  description: "Quinces",
  state: "ready",
  startedAt: NOW - 60_000,
  serviceOffsetMs: 0,
  projectId: "prj-project-1",
});

const { bindings } = ownBindings(BINDINGS, [OWN]) as { bindings: typeof BINDINGS };

type Stage = Awaited<ReturnType<typeof stage>>;

const RUNS = [
  {
    info: runInfo("run-2", [ROW], {
      baseline: "run-1",
      at: RUN_AT + 60_000,
      sources: ["/home/zofia/kanarek.ndjson"],
      isolated: "marzipan.yaml",
    }),
    rows: [ROW],
  },
  { info: runInfo("run-1", [EARLIER], { sources: ["history:payer:cust-4711"] }), rows: [EARLIER] },
];

/** Over what the plane of the sandbox tells of files and callers. */
function watched(context: Context): Context {
  const sandbox = context.sandbox()!;
  const at = { path: "/x", at: 0, virtualTime: 0, projects: 1, decisions: 2, bytes: 3 };
  const admin: SandboxAdmin = {
    ...sandbox.admin,
    whatIf: (_project, request) => Promise.resolve(supposing(request)),
    journal: () => Promise.resolve(JOURNAL),
    rules: () => Promise.resolve({ ...READING, fromFile: true, file: FILE }),
    snapshots: () => Promise.resolve([{ ...at, name: "marzipan-before" }]),
  };
  return { ...context, sandbox: () => ({ ...sandbox, admin }) };
}

/** Keys, a project, payloads and checks, all with canaries. */
async function fill({ context, session, checks, composer }: ConsoleModel): Promise<void> {
  await putCompanyKey(context, "cmp-company-1", { keyId: "kid-key-1", secret: SECRET });
  await putCredential(context, "demo-shop/medium", {
    keyId: "kid-key-2",
    projectId: "prj-project-1",
    secret: SECRET,
  });
  // Without a label, a project is known by its id.
  await putCredential(context, "prj-project-9", {
    keyId: "kid-key-9",
    projectId: "prj-project-9",
    secret: SECRET,
  });
  const payloads = await context.payloads();
  const saved = { name: "zofia-kanarek", tags: ["quince"], expect: "pass", request: REQUEST } as const;
  await payloads.save(saved, false);
  await payloads.save({ ...saved, name: "marzipan", request: { ...REQUEST, order_id: "o-1042" } }, false);
  const history = await context.history();
  for (const index of [3, 2, 1]) {
    const entry = entryOf(index);
    const before = { result: null, finalAction: null, warnings: [], explanation: null, note: null };
    await history.intend({ ...entry, ...before });
    await history.settle(entry);
    await history.annotate(entry.id, entry.note);
  }
  await history.labels.set([{ orderId: REQUEST.order_id!, label: "chargeback", at: null }]);
  session.setProject("demo-shop/medium");
  await checks.load();
  composer.loadRequest(REQUEST, { from: null });
}

async function stage(columns = 80, rows = 24) {
  const opened = await openConsole({
    service: { now: () => NOW },
    columns,
    rows,
    bindings,
    runs: RUNS,
    projects: [PROJECT],
    context: watched,
    before: fill,
    onSandbox: () => ({
      commands: [OWN],
      // Runs until it is ended.
      commandLine: testProgram(
        (_line, _print, signal) =>
          new Promise((resolve) => signal.addEventListener("abort", () => resolve("was ended"))),
      ),
    }),
  });
  await opened.screen.until("Compose");
  return opened;
}

interface Scene {
  readonly name: string;
  /** Goes there from the screen of Check, and waits until it is drawn. */
  readonly go: (on: Stage) => Promise<unknown>;
  /** What is seen there when nothing is masked, in lower case, at 120x40. */
  readonly shows: readonly string[];
}

const press =
  (...steps: readonly (readonly [string, string | RegExp])[]): Scene["go"] =>
  async ({ screen }) => {
    for (const [keys, shown] of steps) {
      await screen.press(keys).until(shown);
    }
  };

/** Lines of a sweep, and what is seen of each. */
const SWEEPS: readonly (readonly [line: string, ...shows: string[]])[] = [
  ["card.holder Zofia Kanarek,Quince", "zofia", "quince"],
  ["cin_card 4321,4711", "4321", "4711"],
  ["expiration_year 2031,2032", "2031"],
  ["number_phone +380509998877", "0509998877", "ukraine"],
];

/** Where something is typed, and when it is there. */
const TYPED: readonly (readonly [
  name: string,
  keys: readonly (readonly [string, string | RegExp])[],
  shown: string | RegExp,
  line: string,
])[] = [
  ["a sweep", [["W", "Sweep"]], "Quince", "\x15card.holder Zofia,Quince"],
  ...['zofia "Zofia Quince"', "bogus:zofia", "verdict:zofia", "amount>zofia"].map(
    (line) =>
      [
        `a filter ${line}`,
        [
          ["4", "Enter open"],
          ["/", " Filter "],
        ],
        line,
        line,
      ] as const,
  ),
  [
    "a wrong filter",
    [
      ["4", "Enter open"],
      ["/", " Filter "],
    ],
    /column \d+/,
    `amount>zofia${ENTER}`,
  ],
  [
    "a note",
    [
      ["4", "Enter open"],
      ["n", " Note "],
    ],
    "Zofia",
    "\x15Zofia",
  ],
  [
    "a search of the library",
    [
      ["l", "Library"],
      ["/", "Filter"],
    ],
    "Zofia",
    "Zofia",
  ],
  [
    "tags of a replay",
    [
      ["5", "of 2"],
      ["n", "Start the replay"],
      ["\t", "› Source"],
      ["\t", "› Only tags"],
    ],
    "zofia",
    "zofia",
  ],
  ["the palette", [[":", "Palette"]], "Zofia", "Zofia"],
  [
    "the help",
    [
      ["?", "Keys"],
      ["/", "Find"],
    ],
    "Zofia",
    "Zofia",
  ],
];

const SCENES: readonly Scene[] = [
  { name: "Check", go: press(["", "Compose"]), shows: ["zofia", "kanarek", "0509998877", "4321"] },
  { name: "Check, why", go: press(["j", "Selected"], ["i", "Why  "]), shows: ["203.0.113.77"] },
  { name: "Check, a verdict", go: press(["j", "Selected"]), shows: ["203.0.113.77"] },
  {
    name: "Check, in a field",
    go: ({ model, screen }) => (model.composer.focus("payer.email"), screen.until("Compose")),
    shows: ["zofia"],
  },
  {
    name: "Check, wrong",
    go: async ({ model, screen }) => {
      model.composer.focus("payer.email");
      model.composer.enter("zofia@@kanarek");
      await screen.until("Compose");
    },
    shows: ["zofia"],
  },
  {
    name: "Check, a sweep",
    go: async (on) => {
      on.model.composer.focus("submit");
      await press(["W", "Sweep"], [`\x15payer.email ${EMAILS}${ENTER}`, "Sweep ━"])(on);
      await on.screen.until("W other values");
    },
    shows: ["zofia"],
  },
  ...SWEEPS.map(([line, ...shows]) => ({
    name: `Check, a sweep: ${line}`,
    go: async (on: Stage) => {
      await press(["W", "Sweep"], [`\x15${line}${ENTER}`, "Sweep ━"])(on);
      await on.screen.until("W other values");
    },
    shows,
  })),
  ...TYPED.flatMap(([name, keys, shown, line]) => [
    {
      name: `${name}, typed`,
      go: press(...keys, [line, shown]),
      shows: ["zofia"],
    },
  ]),
  {
    name: "Check, for a project without a label and a credential",
    go: async (on) => {
      on.model.session.setProject("prj-project-8");
      await press([ENTER, /has no\s+credential/])(on);
    },
    shows: ["project prj-proj"],
  },
  { name: "Check, what if", go: press(["w", "What if"]), shows: [] },
  {
    name: "Check, library",
    go: press(["l", "zofia-kanarek"]),
    shows: ["zofia-kanarek", "quince", "marzipan"],
  },
  { name: "Check, templates", go: press(["l", "Library"], ["\t", "Templates"]), shows: [] },
  {
    name: "Messages",
    go: async (on) => {
      on.model.session.say(REASON, "error");
      await on.screen.press("M").until((frame) => frame.includes(" Messages ━") && frame.includes("401"));
    },
    shows: ["zofia", "203.0.113.77", "kid-key"],
  },
  { name: "Register", go: press(["2", "Projects ─"], ["", "vault"]), shows: ["kanarek", "prj-proj"] },
  { name: "Vault", go: press(["3", "Algorithm"]), shows: ["kid-key", "prj-proj"] },
  { name: "History", go: press(["4", "Enter open"]), shows: [] },
  { name: "Labels", go: press(["9", "As of"]), shows: ["chargeback"] },
  {
    name: "History, filtered",
    go: async (on) => {
      await press(["4", "Enter open"])(on);
      await on.model.history.applyFilter("email:zofia.k@kanarek-mail.example");
      await on.screen.until("of 3");
    },
    shows: ["zofia"],
  },
  {
    name: "History, a filter being typed",
    go: async (on) => {
      await press(
        ["4", "Enter open"],
        ["/", " Filter "],
        ["verdict:zofia.k@kanarek-mail.example", "is not a valid verdict"],
      )(on);
    },
    shows: ["zofia"],
  },
  { name: "History, detail", go: press(["4", "Enter open"], [ENTER, "[Why]"]), shows: ["203.0.113.77"] },
  ...[1, 2, 3, 4].map((times) => ({
    name: `History, tab ${times + 1}`,
    go: async (on: Stage) => {
      await press(["4", "Enter open"], [ENTER, "[Why]"])(on);
      for (let step = 0; step < times; step += 1) on.model.history.cycleTab(1);
    },
    shows: [],
  })),
  {
    name: "History, what to copy",
    go: press(["4", /Time +Verdict/], ["y", "What do you want to copy"]),
    shows: [],
  },
  {
    name: "History, two compared",
    go: press(["4", /Time +Verdict/], ["m", /›m/], ["j", "2 of 3"], ["c", "Later: o-1041"]),
    shows: ["zofia", "kanarek", "wombat"],
  },
  { name: "Replay", go: press(["5", "of 2"]), shows: ["kanarek.ndjson"] },
  { name: "Replay, result", go: press(["5", "of 2"], [ENTER, "was / now"]), shows: ["marzipan.yaml"] },
  {
    name: "Replay, both sides",
    go: press(["5", "of 2"], [ENTER, "was / now"], [ENTER, /Required|Verdict/]),
    shows: ["kanarek", "wombat", "kanarek.ndjson"],
  },
  {
    name: "Replay, under way",
    go: async (on) => {
      await press(["5", "of 2"], ["n", "would be sent"], [ENTER, "Changes so far"])(on);
      on.engine.reject({ origin: ROW.origin, message: `${ROW.origin}: amount must be a number.` });
      on.engine.settle([{ ...ROW, was: "pass" }]);
      on.time.pass(300);
      await on.screen.until("Latest");
    },
    shows: ["kanarek.ndjson"],
  },
  { name: "Replay, setup", go: press(["5", "of 2"], ["n", "Source"]), shows: [] },
  { name: "Rules", go: press(["7", "Rules of your file"]), shows: ["marzipan cake/rules.yaml"] },
  {
    name: "Rules, a question",
    go: press(["7", "Rules of your file"], ["d", "y remove it"]),
    shows: ["marzipan cake/rules.yaml"],
  },
  {
    name: "a toast",
    go: async ({ model, screen }) => {
      model.session.say(`payer.email "zofia.k@kanarek-mail.example" is not taken.`, "error");
      await screen.until("is not taken");
    },
    shows: ["zofia"],
  },
  {
    name: "a toast about a project",
    go: async (on) => {
      await press(["1P", "prj-project-9"], ["\u001b", "Compose"])(on);
      on.model.session.say("The project is prj-project-9 now.", "done");
      await on.screen.until("The project is");
    },
    shows: ["prj-proj"],
  },
  {
    name: "a question",
    go: async ({ model, screen }) => {
      void model.session.agree({ text: REASON, yes: "send" });
      await screen.until("y send");
    },
    shows: ["zofia"],
  },
  { name: "Profiles", go: press(["8", "sandbox"]), shows: [] },
  { name: "Help", go: press(["?", "Marzipan"]), shows: ["marzipan"] },
  {
    name: "Help, found",
    go: press(["?", "Keys"], ["/", "Find"], ["ticket", "Marzipan"]),
    shows: ["marzipan"],
  },
  { name: "Palette", go: press([":", "Palette"]), shows: [] },
  ...(
    [
      ["ticket", "ticket of Marzipan"],
      ["restore ", "restore marzipan-before"],
      ["load payload m", "load payload marzipan"],
      ["snapshot marzipan-before", "verdict sandbox snapshot"],
      ["history show marzipan", "verdict history show"],
    ] as const
  ).map(([typed, shown]) => ({
    name: `Palette, ${typed}`,
    go: press([":", "Palette"], [typed, shown]),
    shows: ["marzipan"],
  })),
  { name: "Projects", go: press(["2", "vault"], ["1P", "prj-project-9"]), shows: ["prj-proj"] },
  {
    name: "Projects, one without a label in use",
    go: async (on) => {
      on.model.session.setProject("prj-project-9");
      await press(["2", "vault"], ["1P", "In use"])(on);
    },
    shows: ["in use: prj-proj"],
  },
  {
    name: "Projects, found by an id",
    go: press(["2", "vault"], ["1P", "prj-project-9"], ["prj-p", /1 of 2/]),
    shows: ["prj-p"],
  },
  {
    name: "Palette, a project without a label",
    go: press(
      ["1P", "prj-project-9"],
      ["\u001b", "Compose"],
      [":", "Palette"],
      ["switch project", "switch project to prj"],
    ),
    shows: ["prj-proj"],
  },
  {
    name: "a command that runs",
    go: async (on) => {
      void on.model.commandLine.run("snapshot marzipan-before");
      await on.screen.until("Running; ");
    },
    shows: ["marzipan"],
  },
  { name: "Vault, one is removed", go: press(["3", "Algorithm"], ["d", "for good"]), shows: ["kid-key"] },
  { name: "Vault, a key by hand", go: press(["3", "Algorithm"], ["a", "› "]), shows: [] },
  {
    name: "Vault, what was said of a key",
    go: async (on) => {
      await press(["3", "Algorithm"])(on);
      on.model.session.say("The key kid-key-1 of cmp-company-1 is gone.", "done");
      await on.screen.until("is gone");
    },
    shows: ["kid-key", "cmp-comp"],
  },
  {
    name: "a credential that is not saved",
    go: async ({ model, screen }) => {
      model.unsavedCredentials.add({
        fault: storage`The credential of prj-project-9 was received but not saved: ${FILE} was not written.`,
        projectKey: "prj-project-9",
        credential: {
          keyId: "kid-key-10",
          projectId: "prj-project-9",
          algorithm: "hmac-sha256",
          secret: new Secret("feedface".repeat(6)),
        },
        againUntil: NOW,
        save: () => Promise.reject(new Error("It is not saved.")),
        writeTo: () => Promise.resolve(),
      });
      await screen.until("A credential that is not saved");
    },
    shows: ["kid-key", "prj-proj", "marzipan"],
  },
  {
    name: "Library, one is removed",
    go: press(["l", "zofia-kanarek"], ["d", "for good"]),
    shows: ["marzipan"],
  },
  { name: "Labels, an order", go: press(["9", "As of"], [ENTER, "Checks"]), shows: ["chargeback"] },
  { name: "Profiles, one changed", go: press(["8", "sandbox"], ["e", "› "]), shows: [] },
  { name: "Register, in a field", go: press(["2", "Projects ─"], ["\t", "› Merchant"]), shows: [] },
];

const SIZES = [
  [60, 20],
  [80, 24],
  [120, 40],
  [140, 40],
  [200, 60],
] as const;

/**
 * The frame in lower case, and without what stands between the halves of a broken line. Digits on two lines stay apart:
 * no number is broken, and a count above a key would be one with it.
 */
function seen(screen: Mounted): string {
  const frame = screen.frame().toLowerCase();
  return `${frame}\n${frame.replaceAll(/(?<!\d)\s+|\s+(?!\s|\d)/g, "")}`;
}

/** Everything in its place once more: nothing is drawn any more after a few turns of the loop. */
async function settled(screen: Mounted): Promise<void> {
  let before = "";
  await screen.until((frame) => {
    const same = frame === before;
    before = frame;
    return same;
  });
}

describe.each(SCENES)("$name", ({ go, shows }) => {
  it("shows everything, and nothing personal in presenter mode at any size", async () => {
    const on = await stage(120, 40);
    const { screen, model } = on;
    await go(on);
    await settled(screen);
    const open = seen(screen);
    for (const canary of shows) expect(open).toContain(canary);
    expectReasons(on);

    model.present();
    // A toast goes with the mode that it was said in, and a question stays.
    if (/is not taken|the project is|is gone/.test(open)) await go(on);
    for (const [columns, rows] of SIZES) {
      screen.resize(columns, rows);
      await screen.until((frame) => frame.includes("PRESENTER") && frame.split("\n").length === rows);
      await settled(screen);
      const frame = seen(screen);
      for (const canary of CANARIES) expect(frame, canary).not.toContain(canary);
      for (const line of screen.lines()) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }
    expectReasons(on);
    for (const { binding, disabled } of screen.dispatcher.active()) {
      if (binding.exposes === true) expect(disabled, binding.id).not.toBeNull();
    }
  });
});

describe.each(TYPED)("%s, while it is typed", (_, keys, _shown, line) => {
  it("shows an audience nothing personal at any key", async () => {
    const on = await stage(140, 40);
    on.model.present();
    await press(...keys)(on);
    for (const key of line) {
      on.screen.press(key);
      await settled(on.screen);
      const frame = seen(on.screen);
      for (const canary of CANARIES) expect(frame, canary).not.toContain(canary);
    }
  });
});

/** Whatever does not work now says why in a sentence. */
function expectReasons({ screen }: Stage): void {
  for (const { binding, disabled } of screen.dispatcher.active()) {
    if (disabled !== null) expect(disabled, binding.id).toMatch(/^[A-Za-z"].+ .+\.$/);
  }
}

describe("presenter mode", () => {
  it("is entered and left with p, from every screen", async () => {
    const { screen, model } = await stage();
    for (const key of ["1", "2", "3", "4", "5", "7"]) {
      await screen.press(key).until(new RegExp(`${key} [A-Z]`));
      await screen.press("p").until("PRESENTER");
      await screen.press("p").until((frame) => !frame.includes("PRESENTER"));
    }
    expect(model.session.store.getState().presenter).toBeNull();
  });

  it("types a p in a text field", async () => {
    const { screen, model } = await stage();
    model.composer.focus("payer.payer_id");
    await screen.until("Compose");
    await screen.press("p").until("cust-4711p");
    expect(model.session.store.getState().presenter).toBeNull();
  });

  it("changes no field that it hides, and says why", async () => {
    const { screen, model } = await stage();
    await screen.press("p").until("PRESENTER");
    model.composer.focus("payer.payer_id");
    await screen.until("back to Send");
    for (const keys of ["p", "\u007f", "\x1b[200~pasted\x1b[201~"]) {
      await screen.press(keys).until("so you cannot change it");
      expect(model.composer.toRequest().payer?.payer_id).toBe("cust-4711");
      model.session.dismissToasts();
      await screen.until((frame) => !frame.includes("so you cannot change it"));
    }
    model.composer.focus("order_id");
    await screen.until("› Order id");
    await screen.press("7").until("o-10417");
    model.session.go("register");
    await screen.until("Merchant");
    model.registrations.focus("name");
    model.registrations.enter("Zofia");
    await screen.until("so you cannot change it");
    expect(model.registrations.store.getState().form.texts["name"]?.text).toBe("");
  });

  it("stays in the header over a deck", async () => {
    const { screen, model } = await stage();
    model.present();
    await screen.press("6").until((frame) => frame.includes("PRESENTER") && frame.includes("choose a deck"));
  });

  it("can be on from the first frame", async () => {
    const { model } = await openConsole({ service: { now: () => NOW }, options: { presenter: true } });
    expect(model.session.store.getState().presenter).toBe(NOW);
  });

  it("says of a key that its uses are hidden, and not that it has none", async () => {
    const { screen, model } = await stage(120, 40);
    await screen.press("3").until("never");
    model.present();
    await screen.until((frame) => frame.includes("PRESENTER") && !/never|not tested/.test(frame));
    expect(screen.frame()).toMatch(/\*{8} +[\d:]+ +hidden +hidden/);
  });

  it.each([true, false])(
    "hides the id of what is gone in what was said of it, on before: %s",
    async (isOn) => {
      const { screen, model } = await stage(120, 40);
      await screen.press("3").until("Algorithm");
      if (isOn) screen.press("p");
      // The integration key, whose company no other has, and a project that was in use.
      model.session.setProject("prj-project-8");
      model.session.say("The project is prj-project-8 now.", "done");
      model.session.setProject("demo-shop/medium");
      model.keyring.select("last");
      void model.keyring.remove();
      await screen.until("for good?");
      model.session.answer(true);
      await screen.until("Removed the");
      if (!isOn) screen.press("p");
      screen.press("M");
      await screen.until(
        (frame) =>
          frame.includes(" Messages ━") && frame.includes("PRESENTER") && frame.includes("Removed the"),
      );
      await settled(screen);
      expect(screen.frame()).toContain("The project is (hidden) now.");
      const frame = seen(screen);
      for (const canary of CANARIES) expect(frame, canary).not.toContain(canary);
      expect(model.snapshot().ids).toEqual(expect.arrayContaining(["cmp-company-1", "prj-project-8"]));
    },
  );

  it("lists what a filter lets through that was set before, and masks its words", async () => {
    const { screen, model } = await stage(120, 40);
    await screen.press("9").until("As of");
    model.labels.setFilter("chargeback");
    await screen.until("Labels · chargeback");
    model.present();
    expect(await screen.until(/PRESENTER[^]*Labels · \*{8}/)).toContain("o-1041");
    await screen.press("7").until("Rules of your file");
    const { code } = listedRules(model.rules.store.getState()).at(-1)!;
    model.rules.setFilter(code);
    expect(await screen.until(/file · \*{8}/)).toContain("1 of 1");
  });

  it("refuses what reveals, copies or opens in the editor, and says why", async () => {
    const { screen } = await stage();
    const refused = (): string[] =>
      screen.dispatcher
        .active()
        .filter(({ disabled }) => disabled?.startsWith("Presenter mode hides") === true)
        .map(({ binding }) => binding.id);
    expect(refused()).toEqual([]);
    await screen.press("p").until("PRESENTER");
    expect(refused()).toEqual(expect.arrayContaining(["check.edit", "check.signing", "check.copySigned"]));
    await screen.press("3").until("Algorithm");
    expect(refused()).toEqual(["vault.reveal", "vault.copy", "vault.actions", "vault.filter"]);
    screen.press("v");
    await settled(screen);
    expect(screen.frame()).not.toContain("feedface");
  });

  it("hides a secret that was in the open", async () => {
    const { screen, model } = await stage();
    await screen.press("3").until("Algorithm");
    await screen.press("v").until("feedface");
    await screen.press("p").until((frame) => frame.includes("PRESENTER") && !frame.includes("feedface"));
    expect(model.keyring.store.getState().revealed).toBeNull();
  });

  it("sends what is composed, and not its mask", async () => {
    const { screen, model } = await stage();
    await screen.press("p").until("PRESENTER");
    await screen.press(ENTER).until("PASS");
    expect(model.checks.store.getState().latest?.request.payer).toEqual(REQUEST.payer);
  });

  it("withholds every key whose word says that it reveals, copies or edits what may be personal", () => {
    // Rules and profiles hold nothing personal but a company id, which their forms mask.
    const harmless = new Set(["rules.edit", "page.edit", "profiles.edit"]);
    const told = BINDINGS.filter(
      ({ id, label }) => /^(?:reveal|copy)\b/i.test(label) || id.endsWith(".edit"),
    );
    expect(told.length).toBeGreaterThan(5);
    const open = told.filter(({ id, exposes }) => exposes !== true && !harmless.has(id)).map(({ id }) => id);
    expect(open).toEqual([]);
  });

  it("gives the screen air where there is room", async () => {
    const narrow = await stage(80, 24);
    await narrow.screen.press("p").until("PRESENTER");
    expect(narrow.screen.lines()[1]).toMatch(/^ {2}Compose/);
    const wide = await stage(140, 40);
    await wide.screen.press("p").until("PRESENTER");
    expect(wide.screen.lines()[1]!.trim()).toBe("");
    expect(wide.screen.lines()[2]).toMatch(/^ {6}Compose/);
  });
});

it("a key pressed by mistake says how to leave the mode, and loses nothing that was typed", async () => {
  const { screen, model } = await stage(80, 24);
  model.composer.focus("description");
  model.composer.enter(" and figs");
  model.composer.focus("submit");
  const typed = () => [model.composer.store.getState().fields, model.registrations.store.getState().form];
  await screen.press("2").until("Projects ─");
  await screen.press("\tfig-shop").until("fig-shop");
  await screen.press("\u001b").until("› Register");
  const before = typed();
  expect(JSON.stringify(before)).toMatch(/and figs.*fig-shop/);
  await screen.press("p").until("Presenter mode: personal data is masked; p leaves it.");
  await screen.press("p").until("Presenter mode is off");
  expect(typed()).toEqual(before);
});
