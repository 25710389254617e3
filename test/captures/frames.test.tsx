// Every screen state at 80x24 as text, compared with the files in frames/. Where a difference is meant:
// `npx vitest run test/captures/frames.test.tsx -u`, then read what changed in `git diff test/captures/frames`.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { UnsavedCredential } from "#src/actions/register/unsaved-credential.ts";
import { storage } from "#src/contract/fault.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import { Secret } from "#src/contract/secret.ts";
import { BUILT_IN_DECKS, builtInDeck } from "#src/replay/decks/built-in-decks.ts";
import type { DemoState } from "#src/state/sandbox/deck-run.ts";
import type { CheckFrame, Deck, DemoFrame } from "#src/state/sandbox/demo.ts";
import { PLAIN_FRAME } from "../check-frame.ts";
import { maskedFrame, maskOf } from "#src/actions/sandbox/demo-frame.ts";
import { dayFrame } from "../day-frame.ts";
import { type Mounted } from "../console/harness.tsx";
import { runInfo, runResult, runRow, type StoredRun } from "../console/replay-engine.ts";
import { READING } from "../console/sandbox-stub.ts";
import { tuningOf } from "../display/tuned-sample.ts";
import { draw } from "../console/driver.tsx";
import { guardedVault, PASSPHRASE, PROJECT } from "../state/guarded-vault.ts";
import { answer, intent } from "../storage/entries.ts";
import { decisionOf, NOW, openDesk, PAYMENT, type Desk, type DeskOptions } from "./desk.tsx";

const NONCE = "00000000-0000-4000-8000-000000000000";
/** A screen that did not change for so long has drawn what it had to, on a busy machine too; only a changed frame waits. */
const STILL_MS = 5_000;
const FRAMES = new URL("frames/", import.meta.url);
const ENTER = "\r";
const ESC = "\u001b";
/** Esc before another key of the same chunk, which it would be Alt for. */
const ESC_THEN = "\u001b[27u";
const TAB = "\t";
const CLEAR = "\u0015";

// Times are shown as local ones.
const zone = process.env["TZ"];
beforeAll(() => {
  process.env["TZ"] = "UTC";
});
afterAll(() => {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
});

/** The newest check as History lists it; Check lists the same ones without headings. */
const LISTED = /Time +Verdict[^]*12:29:00/;

const compared = new Set<string>();

/** Compares the screen with its file: as soon as it is the same, or as it is when nothing moves any more. */
async function frame({ screen }: { readonly screen: Mounted }, name: string): Promise<void> {
  const file = `${name}.txt`;
  const expected = existsSync(new URL(file, FRAMES)) ? readFileSync(new URL(file, FRAMES), "utf8") : null;
  let before = "";
  let since = performance.now();
  await screen.until(() => {
    const now = textOf(screen);
    if (now !== before) since = performance.now();
    before = now;
    return now === expected || performance.now() - since > STILL_MS;
  });
  compared.add(file);
  expect(screen.lines()).toHaveLength(24);
  expect(pointersOf(screen), `${name} has one pointer where keys act on a row, and no second one`).toBe(
    NO_ROW.test(name) ? 0 : 1,
  );
  await expect
    .soft(textOf(screen), "is it meant? vitest run test/captures/frames.test.tsx -u")
    .toMatchFileSnapshot(`frames/${file}`);
}

/** Frames of pages, which scroll, of slides, and of lists without a row. */
const NO_ROW =
  /^check-(signing|sweep|what-if|why)$|^demo-(?!choice)|^(?:empty-(history|replay|vault)|labels-empty)$|^help-|^history-(answer|compare|request|signed|timing|why)$|^live-replay$|^palette$|^presenter-detail$|^replay-(flip|paused|running)$|^rescue(-secret)?$|^rules-(rule|tune.*)$/;

/** Pointers in the first column of a pane or, in a form of another kind, anywhere. */
function pointersOf(screen: Mounted): number {
  return screen.frame().split(/›|^>|(?<=[│|])>/m).length - 1;
}

/** The frame, but for the nonce of a signature and the id of an entry of the vault, which are new each time. */
function textOf(screen: Mounted): string {
  const text = screen.frame().replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, NONCE);
  return `${text.replace(/(?<=--only )[0-9a-z]+/, (id) => "0".repeat(id.length))}\n`;
}

/** Keys that lead to a frame, what is waited for, and the name of the frame; null where none is compared. */
type Step = readonly [keys: string, shown: string | RegExp, name: string | null];

async function walk(desk: Desk, steps: readonly Step[]): Promise<void> {
  for (const [keys, shown, name] of steps) {
    // As each key does in the program.
    if (keys !== "") desk.model.session.dismissToasts();
    await desk.press([keys, shown]);
    if (name !== null) await frame(desk, name);
  }
}

function story(what: string, options: DeskOptions, steps: readonly Step[]): void {
  it(what, async () => walk(await openDesk(options), steps));
}

story("a home in which nothing was done", { empty: true }, [
  ["", "No checks yet", "empty-check"],
  ["2", "2 Register", "empty-register"],
  ["3", "The vault is empty", "empty-vault"],
  ["4", "No single check has been sent yet", "empty-history"],
  ["5", "No replay has been run yet", "empty-replay"],
  ["8", "Profiles", "empty-profiles"],
]);

story("Check: composing", {}, [
  ["", "1 of 30", "check"],
  [TAB + TAB + TAB, "› Amount", "check-field-amount"],
  [`${CLEAR}12.5x`, "12.5x", "check-field-wrong"],
  [`${CLEAR}12000${TAB}${CLEAR}UAH`, "› Currency", "check-field-currency"],
  [`${CLEAR}980${ESC}`, "› Send check", null],
  ["t", "Templates", "check-templates"],
  [ESC, "› Send check", null],
  ["l", "large-order", "check-library"],
  [ESC, "› Send check", null],
  ["x", "String to sign", "check-signing"],
  [ESC, "› Send check", null],
  ["w", "What would flip it", "check-what-if"],
  [ESC, "› Send check", null],
  ["W", "Sweep", "check-sweep-question"],
  [`${CLEAR}amount 1000..5000000${ENTER}`, "W other values", "check-sweep"],
  [ESC, "› Send check", null],
  [`W${CLEAR}amount 12..3${ENTER}`, "12..3", "check-sweep-wrong"],
]);

it("Check: verdicts, and the question about 3-D Secure", async () => {
  const desk = await openDesk();
  // A check that follows an outcome too soon is held back.
  const send = async (amount: number, shown: string | RegExp, name: string): Promise<void> => {
    desk.time.pass(5_000);
    desk.model.composer.loadRequest({ ...PAYMENT, order_id: `o-${amount}`, amount }, { from: null });
    desk.model.composer.leave();
    await walk(desk, [
      ["", `${amount}`, null],
      [ENTER, shown, name],
    ]);
  };
  await send(12_000, "✔ PASS  Continue", "check-pass");
  await send(98_000, "3-D Secure be forced", "check-3ds-question");
  await walk(desk, [["n", "Final action", "check-3ds-decided"]]);
  await send(250_000, "✖ BLOCK  Block", "check-block");
  await walk(desk, [["i", "Why  o-", "check-why"]]);
});

story("Check: older verdicts", {}, [
  ["jjjjjj", "6 of 30", "check-unknown"],
  ["jjjjjjj", "13 of 30", "check-3ds-open"],
  ["G", "30 of 30", "check-oldest"],
]);

story("Register", {}, [
  ["2", "forgotten-shop", "register"],
  ["jj", "3 of 3", "register-selected"],
  [TAB, "› Merchant", "register-field"],
  [ESC, "3 of 3", null],
  ["1P", "3 of 3", "project-switch"],
  ["new", "1 of 3", "project-switch-found"],
]);

story("Vault", {}, [
  ["3", "1 of 2", "vault"],
  ["v", "hidden again", "vault-secret"],
  [ESC, "1 of 2", null],
  ["y", "cleared in", "vault-copied"],
  ["x", "set a passphrase", "vault-actions"],
  [ESC, "1 of 2", null],
  ["d", "y remove", "vault-remove"],
  [ESC, "1 of 2", null],
  ["a", "Add", "vault-add"],
]);

it("Vault: locked", async () => {
  const { model } = await guardedVault("passphrase", { now: () => NOW });
  model.session.setProject(PROJECT);
  model.composer.loadRequest(PAYMENT, { from: null });
  await model.checks.load();
  await model.keyring.load();
  const { screen } = draw(model);
  await screen.until("vault locked");
  await frame({ screen }, "vault-locked-check");
  await screen.press("u").until("Passphrase of the vault:");
  await screen.press(`wrong${ENTER}`).until("once more:");
  await frame({ screen }, "vault-wrong-passphrase");
  await screen.press(ESC).until((text) => text.includes("vault locked") && !text.includes("once more:"));
  await screen.press("u").until("Passphrase of the vault:");
  await screen.press(`${PASSPHRASE}${ENTER}`).until((text) => !text.includes("vault locked"));
  await screen.press("3").until("1 of 2");
  await frame({ screen }, "vault-open");
});

it("a credential that is not saved", async () => {
  const desk = await openDesk();
  const unsaved: UnsavedCredential = {
    fault: storage`The credential of shop-9/low was received but not saved: the disk is full.`,
    projectKey: "shop-9/low",
    credential: {
      keyId: "key-9",
      projectId: "project-9",
      algorithm: "hmac-sha256",
      secret: new Secret("cafebabe".repeat(6)),
    },
    againUntil: NOW + 86_400_000,
    save: () => Promise.reject(storage`The disk is still full.`),
    writeTo: () => Promise.resolve(),
  };
  desk.model.unsavedCredentials.add(unsaved);
  await walk(desk, [
    ["", "A credential that is not saved", "rescue"],
    ["v", "hidden again", "rescue-secret"],
    ["\u0003", "y leave", "rescue-leave"],
  ]);
});

story("History", {}, [
  ["4", LISTED, "history"],
  [`/amount>x${ENTER}`, "amount>x", "history-filter-wrong"],
  [`${ESC_THEN}/${CLEAR}verdict:block`, /1 of \d\b/, "history-filter"],
  [ENTER, /1 of \d\b/, "history-filtered"],
  ["R", "y send", "history-batch"],
  [ESC, /\d of \d\b/, null],
  [ESC, "of 30", null],
  ["gm", "›m12:29", null],
  ["jj", "3 of 30", "history-marked"],
  ["c", "changed", "history-compare"],
]);

story("History: one check", {}, [
  ["4", LISTED, null],
  ["jjj", "4 of 30", null],
  [ENTER, "[Why]", "history-why"],
  [TAB, "[Request]", "history-request"],
  [TAB, "[Answer]", "history-answer"],
  [TAB, "String to sign", "history-signed"],
  [TAB, "[Timing]", "history-timing"],
]);

const RUN_AT = NOW - 3_600_000;
const BEFORE: readonly RunRow[] = Array.from({ length: 40 }, (_, index) =>
  runRow(index + 1, { at: RUN_AT + index }),
);
const AFTER: readonly RunRow[] = BEFORE.map((row, index) => ({
  ...row,
  result: runResult(index < 3 ? "block" : index < 8 ? "3ds_or_block" : index === 20 ? null : "pass"),
  expect: index < 2 ? ("pass" as const) : null,
}));
const RUNS: readonly StoredRun[] = [
  { info: runInfo("run-2", AFTER, { baseline: "run-1", at: RUN_AT + 60_000 }), rows: AFTER },
  { info: runInfo("run-1", BEFORE, { state: "partial", at: RUN_AT }), rows: BEFORE },
];

story("Replay", { runs: RUNS }, [
  ["5", "of 2", "replay"],
  [ENTER, "was / now", "replay-result"],
  [ENTER, /Required|Verdict/, "replay-flip"],
  [ESC, "was / now", null],
  [ESC, "of 2", null],
  ["n", "Source", "replay-setup"],
]);

it("Replay: under way", async () => {
  const desk = await openDesk({ runs: RUNS });
  await walk(desk, [
    ["5", "of 2", null],
    ["jbn", "would be sent", null],
    [ENTER, "Changes so far", null],
  ]);
  desk.engine.settle(AFTER.slice(0, 18));
  desk.time.pass(300);
  await walk(desk, [["", "18 done", "replay-running"]]);
  desk.screen.press(" ");
  desk.time.pass(300);
  await walk(desk, [
    ["", "Paused", "replay-paused"],
    [ESC, "y cancel", "replay-cancel"],
  ]);
});

story("Rules, and the conditions of the sandbox", {}, [
  ["7", "1 of 4", "rules"],
  [`j${ENTER}`, /When +velocity/, "rules-rule"],
  ["W", "Tune", "rules-tune-ask"],
  [ESC, /When +velocity/, null],
  [`${ESC_THEN}1`, "Compose", null],
  [`:clock +24h${ENTER}`, "CLOCK +1 d", null],
  [`:faults 503 x5${ENTER}`, "1 FAULT", "conditions"],
  [`:reset${ENTER}`, "y reset", "conditions-reset"],
]);

it("Rules: a number that is tuned", async () => {
  const desk = await openDesk();
  const progress = { param: "BIN_BURST.limit", taken: 1_250, fraction: 0.25 };
  desk.model.tuning.store.setState({ progress });
  desk.model.session.show(desk.model.tuning.page);
  await walk(desk, [["7", "Trying", "rules-tune-running"]]);
  desk.model.tuning.store.setState({ progress: null, result: tuningOf() });
  await walk(desk, [["", "Net EUR", "rules-tune"]]);
});

it("Rules: a file that is wrong", async () => {
  const desk = await openDesk();
  const wrong = {
    message: "rules.yaml:12:20: CARD_VELOCITY_1H: in when: there is no parameter limitt",
    excerpt: `    when: velocity("card", "1h") > limitt\n${" ".repeat(35)}^`,
  };
  desk.sandbox.reading = { ...READING, fromFile: true, error: { message: wrong.message, at: NOW } };
  await walk(desk, [["7", "is wrong since", "rules-wrong-file"]]);
  desk.model.rules.store.setState({ draft: { text: "x", basedOn: "y", wrong } });
  await walk(desk, [["", "e opens it again", "rules-wrong-draft"]]);
});

const DECK: Deck = builtInDeck(BUILT_IN_DECKS[0]!);

/** The deck's first payment with the verdict that its n-th frame shows. */
function demoFrame(number: number): CheckFrame {
  const amount = [12_000, 98_000, 250_000][number]!;
  const decision = decisionOf(amount);
  const { recommendation, message } = decision;
  const step = DECK.steps[0]!;
  const request = { ...step.checks[0]!.request, amount };
  const finalAction = recommendation === "3ds_or_block" ? "3ds" : null;
  return {
    ...PLAIN_FRAME,
    index: number,
    total: 3,
    say: step.say,
    note: step.note ?? "What the presenter says here.",
    request,
    entries: [
      intent(`e${number}`, {
        request,
        result: answer({ recommendation, message }),
        finalAction,
        explanation: decision,
      }),
    ],
    attempts: 1,
    expected: recommendation,
    asExpected: true,
    finalAction,
    projectKey: PROJECT,
    riskLevel: "medium",
    virtualTime: DECK.startAt,
  };
}

it("Demo", async () => {
  const desk = await openDesk();
  await walk(desk, [["6", "› One card", "demo-choice"]]);
  const shown: Partial<DemoState> = { deck: DECK, checks: 3, frames: [0, 1, 2].map(demoFrame), at: 0 };
  const show = async (change: Partial<DemoState>, text: string, name: string): Promise<void> => {
    desk.model.demo.store.setState(change);
    await desk.screen.until(text);
    await frame(desk, name);
  };
  await show(shown, "Space begins", "demo-title");
  await show({ at: 1 }, "step 1 of 3", "demo-pass");
  await show({ at: 2 }, "step 2 of 3", "demo-3ds");
  await show({ at: 3 }, "step 3 of 3", "demo-block");
  await show({ notes: true }, "For the presenter", "demo-notes");
  await show({ at: 4 }, "the end", "demo-end");

  const [pass, secure, block] = shown.frames as [CheckFrame, CheckFrame, CheckFrame];
  const sides = [pass, secure, block].map(({ entries }, index) => {
    const level = (["low", "medium", "high"] as const)[index]!;
    const side = { projectKey: `demo-shop/${level}`, riskLevel: level, rules: null, expected: null };
    return { ...side, title: level, entry: entries[0]! };
  });
  const watch = [
    { key: "card", window: "1h" },
    { key: "ip", window: "1h" },
  ];
  const alone = (frame: DemoFrame): Partial<DemoState> => ({
    frames: [frame],
    at: 1,
    checks: 1,
    notes: false,
  });
  await show(alone({ ...pass, sides }), "✖ BLOCK", "demo-sides");
  const entries = [
    intent("e9", { request: block.request, result: answer({ outcome: "unknown", recommendation: null }) }),
  ];
  await show(alone({ ...block, entries, watch, fault: "no answer" }), "On purpose", "demo-fault");
  await show(alone({ ...block, watch }), "step 3 of 3", "demo-watch");
  await desk.screen.press("w").until("What would change the answer");
  await frame(desk, "demo-what-if");
  await desk.screen.press("\x1b").until("Score");
  const day = { shown: 1_004, runs: false, named: 1_003, speed: 1 };
  await show({ ...alone(maskedFrame(dayFrame(2_000), maskOf(DECK))), day }, "1 004 of", "demo-day");
  await show({ day: { ...day, shown: 2_000, named: null } }, "no longer blocked", "demo-day-end");
  await desk.screen.press("?").until("Keys");
  await frame(desk, "demo-help");
});

story("Profiles", {}, [
  ["8", "Profiles", "profiles"],
  ["a", "Name", null],
  [`shop-next${TAB}`, "shop-next", "profiles-form"],
]);

story("Labels", {}, [
  ["9", "No order has a label yet", "labels-empty"],
  ["x", "label import", "labels-actions"],
]);

const REAL = { baseUrl: "https://check.example", projectsUrl: "https://projects.example" } as const;

story("a live profile", { profile: { ...REAL, name: "shop-live", environment: "LIVE" } }, [
  ["", "Send check to LIVE", "live-check"],
  ["4", LISTED, "live-history"],
  ["5", "No replay", "live-replay"],
]);

story(
  "a read-only profile",
  { profile: { ...REAL, name: "shop-test", environment: "TEST", readOnly: true } },
  [["", "read-only", "read-only-check"]],
);

story("what lies over a screen", {}, [
  ["?", "Keys", "help-check"],
  [ESC, "Compose", null],
  [":", "Palette", "palette"],
  ["hist", "hist", "palette-search"],
  [ESC + ESC, "Compose", null],
  ["4?", "Keys", "help-history"],
]);

story("presenter mode", {}, [
  ["p", "PRESENTER", "presenter-check"],
  ["4", LISTED, "presenter-history"],
  [`jjj${ENTER}`, "[Why]", "presenter-detail"],
  [`${ESC_THEN}3`, "1 of 2", "presenter-vault"],
]);

story("ASCII", { ascii: true, runs: RUNS }, [
  ["jjjjj", "5 of 30", "ascii-check"],
  ["4", LISTED, "ascii-history"],
  ["5", "of 2", null],
  [ENTER, "was / now", "ascii-replay-result"],
]);

it.each([
  { columns: 60, rows: 20 },
  { columns: 140, rows: 40 },
  { columns: 200, rows: 60 },
])("has one pointer on every screen at $columns columns", async (size) => {
  const { screen } = await openDesk({ runs: RUNS, size });
  const one = async (): Promise<unknown> => screen.until(() => pointersOf(screen) === 1);
  for (const [key, shown] of [
    ["1", "Compose"],
    ["2", "Projects ─"],
    ["3", "Last used"],
    ["4", LISTED],
    ["5", "11:31:00"],
    [ENTER, "[Flips"],
    ["7", "Starter rules"],
    ["8", "Check address"],
    [":scr", "screen Check"],
    [`${ESC_THEN}P`, "Switch project"],
    [`${ESC_THEN}6`, "One card"],
  ] as const) {
    await screen.press(key).until(shown);
    await one();
  }
});

it("leaves no frame behind that nothing is compared with", () => {
  expect(readdirSync(FRAMES).filter((file) => !compared.has(file))).toEqual([]);
});
