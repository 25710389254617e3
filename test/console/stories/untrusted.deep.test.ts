// Every untrusted field with every naughty string, on every screen that shows it: the terminal obeys nobody but the console.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { openProjects } from "#src/storage/documents/projects.ts";
import { HIDDEN, MORE, STRINGS } from "../../cli/naughty-strings.ts";
import { testHomeOfTests } from "../../cli/verdict-process.ts";
import { answer, intent } from "../../storage/entries.ts";
import { noDamage } from "../../storage/no-damage.ts";
import { isOurs, withoutOurs } from "../allowed-controls.ts";
import type { PseudoTerminal } from "../pty.ts";
import { explanationOf, traceOf } from "../samples.ts";
import { type FakeService, GIVEN_BACK, KEY, fakeService, pasted, readyConsole, sendNext } from "./stage.ts";
import { historyIn } from "../../storage/open-history.ts";

const START = 1_700_000_000_000;

/** What hides or is obeyed, and every tenth of what is merely odd: for screens that show one thing at a time. */
const CHOSEN = [...STRINGS.filter((text, index) => HIDDEN.test(text) || index % 10 === 0), ...MORE];

/** Long enough ago that no window is open. */
const REQUEST = (text: string): CheckRequest => ({
  operation: text,
  order_id: text,
  amount: 12_000,
  currency: 980,
  description: text,
  terminal_id: text,
  payer: { payer_ip: text, email: text, number_phone: text, payer_id: text },
  card: { holder: text },
});

function hostileExplanation(text: string, id: string): Explanation {
  const parts = { what: text, now: text, needed: text, rule: text };
  return explanationOf({
    id,
    message: text,
    at: START,
    projectId: text,
    riskLevel: "low",
    orderId: text,
    rules: [
      traceOf({ code: text, text, values: { [text]: text } }),
      traceOf({ code: "B", text, outcome: "not_evaluated", mode: "shadow", missing: text }),
    ],
    counters: [{ key: text, window: text, value: 1, limit: 3 }],
    flips: [{ what: text, from: 1, to: 2, recommendation: "pass", text, parts }],
    ruleSetHash: text,
  });
}

function entryOf(text: string, index: number): HistoryEntry {
  const id = `n${String(index).padStart(6, "0")}`;
  return intent(id, {
    at: START + index,
    profile: "fake",
    project: text,
    request: REQUEST(text),
    result: answer({ explanation: text, decisionId: text, message: text, rawCode: text }),
    finalAction: "block",
    warnings: [text],
    explanation: hostileExplanation(text, id),
    signed: { recipe: text, keyId: text, projectId: text, algorithm: text },
  });
}

/** Not a letter: many of them at once would be taken for pasted text. */
const DOWN = "\x1b[B";
const PAGE_DOWN = "\x1b[6~";

/** The open one among the tabs of an entry. */
function openTab(screen: string): string {
  const tabs = screen.split("\n").find((line) => /Why.*Timing/.test(line)) ?? "";
  return /\[(\w+)\]/.exec(tabs)?.[1] ?? "";
}

describe("the terminal of the console", () => {
  const home = testHomeOfTests();
  let service: FakeService;
  let terminal: PseudoTerminal;
  const data = (name: string): string => join(home.folder, "verdict", "data", name);
  const open = async (): Promise<void> => {
    terminal = await readyConsole(home, { watchesControls: true, columns: 120, rows: 40 });
  };

  beforeAll(async () => {
    service = await fakeService(home);
  });
  afterAll(async () => {
    await service.close();
  });
  afterEach(async () => {
    await terminal.type(`${KEY.esc}q`).exit;
    expect(terminal.controls().size).toBeGreaterThan(10);
    expect([...terminal.controls()].filter((control) => !isOurs(control))).toEqual([]);
    expect(HIDDEN.exec(withoutOurs(terminal.written()))).toBeNull();
    expect(terminal.modes()).toEqual(GIVEN_BACK);
  });

  it("hears nothing of the history: list, and every tab of an entry", async () => {
    const history = historyIn(data(""));
    let kept = 0;
    for (const [index, text] of [...STRINGS, ...CHOSEN].entries()) {
      const entry = entryOf(text, index);
      // What holds card data is refused by the store, as it should be.
      const isKept = await history.intend({ ...entry, result: null }).then(
        () => true,
        () => false,
      );
      if (!isKept) continue;
      await history.settle(entry);
      if (index % 3 === 0) await history.annotate(entry.id, text).catch(() => {});
      kept += 1;
    }
    await history.close();
    expect(kept).toBeGreaterThan(STRINGS.length);

    await open();
    await terminal.type("4").until(/Time +Verdict/);
    for (let page = 0; page < kept / 25; page += 1) {
      const before = terminal.screen();
      terminal.type(PAGE_DOWN);
      if (page < 10) await terminal.until((screen) => screen !== before);
    }
    terminal.type("g");
    for (let index = 0; index < CHOSEN.length - 5; index += 1) {
      await terminal.type(KEY.enter).until("Esc back");
      // All five of them, from whichever was looked at last.
      for (let count = 0, tab = openTab(terminal.screen()); count < 5; count += 1) {
        terminal.type(KEY.tab);
        tab = openTab(await terminal.until((screen) => !["", tab].includes(openTab(screen))));
      }
      await terminal.type(KEY.esc).until("Enter open");
      terminal.type(DOWN);
    }
  });

  it("hears nothing of what a service answers", async () => {
    await open();
    // After each outcome Enter is not taken for a moment: only what hides or is obeyed.
    for (const [index, text] of CHOSEN.filter((each) => HIDDEN.test(each)).entries()) {
      const bodies = [
        { status: "success", code: "block", message: text },
        { status: "success", code: text, message: text },
        {
          status: "error",
          error: text,
          message: text,
          request_id: text,
          fields: [{ path: text, message: text }],
        },
        { status: text, code: "pass" },
      ];
      const at = index % bodies.length;
      service.answer(at === 2 ? 422 : 200, bodies[at]);
      const sent = service.received.length;
      await sendNext(terminal, () => service.received.length > sent);
      await terminal.until("Send check");
    }
  });

  it("hears nothing of what is pasted into the composer", async () => {
    await open();
    for (const text of CHOSEN) {
      await terminal.type(pasted(JSON.stringify(REQUEST(text)))).until(/Amount +12000|cannot|not /);
      terminal.type("u");
    }
    for (const text of MORE) {
      terminal.type(KEY.tab);
      terminal.type(pasted(text));
      terminal.type(KEY.clear);
      terminal.type(KEY.esc);
    }
    await terminal.until("Compose");
  });

  it("hears nothing of registered projects, and of files beside the saved payloads", async () => {
    const projects = openProjects({ onProblem: noDamage, path: data("projects.json") });
    for (const [index, text] of CHOSEN.entries()) {
      const owner = { key: `${text}${index}/low`, merchantId: text, name: text, description: text };
      const times = { startedAt: START + index, provenStartAt: null, serviceOffsetMs: null };
      const rest = {
        profile: "fake",
        companyId: text,
        riskLevel: "low",
        currency: 980,
        projectId: text,
      } as const;
      // A number of a card is refused.
      await projects.put({ ...owner, ...times, ...rest, state: "closed" }).catch(() => {});
    }
    mkdirSync(data("payloads"), { recursive: true });
    for (const [index, text] of CHOSEN.entries()) {
      const payload = { name: `p-${index}`, tags: [], request: REQUEST(text) };
      writeFileSync(join(data("payloads"), `p-${index}.json`), JSON.stringify(payload));
      // oxlint-disable-next-line no-control-regex
      const name = text.replaceAll(/[/\0]/g, "_").slice(0, 60);
      writeFileSync(join(data("payloads"), `${name}.json`), "{");
      writeFileSync(join(data("payloads"), `t-${index}.json`), JSON.stringify({ ...payload, tags: [text] }));
    }

    await open();
    await terminal.type("2").until(/1 Check {1,2}2/);
    for (let index = 0; index < CHOSEN.length; index += 1) {
      terminal.type(DOWN);
      if (index % 10 === 0) await terminal.until(/[1-9]\d*\/low .*✖ closed/);
    }
    await terminal.type("1").until("Compose");
    await terminal.type("l").until("›");
    for (let page = 0; page < 12; page += 1) {
      const before = terminal.screen();
      terminal.type(PAGE_DOWN);
      if (page < 5) await terminal.until((screen) => screen !== before);
    }
    terminal.type("g");
    for (let index = 0; index < CHOSEN.length; index += 1) terminal.type(DOWN);
    await terminal.type(KEY.esc).until("Compose");
  });
});
