// Projects on their way to a credential, and the end of their 24 hours, in the built console on its own sandbox.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testHome, type TestHome } from "../../cli/verdict-process.ts";
import type { PseudoTerminal } from "../pty.ts";
import { KEY, openConsole, succeeds } from "./stage.ts";

interface PanelCredential {
  readonly key_id: string;
  readonly project_id: string;
}

interface Panel {
  readonly companies: readonly {
    readonly projects: readonly {
      readonly merchant_id: string;
      /** Null until the panel shows it. */
      readonly credential: PanelCredential | null;
    }[];
  }[];
}

// One home for all of them, in this order.
describe("Register", () => {
  let home: TestHome;
  beforeAll(() => void (home = testHome()));
  afterAll(() => home.remove());

  async function panelCredential(merchant: string): Promise<PanelCredential> {
    const [panel] = (await home.json("sandbox panel --json")) as unknown as [Panel];
    const projects = panel.companies.flatMap((company) => company.projects);
    return projects.find((project) => project.merchant_id === merchant)!.credential!;
  }

  async function register(terminal: PseudoTerminal, merchant: string): Promise<void> {
    await terminal.until("› Register");
    await terminal.type(KEY.tab).until("› Merchant id");
    terminal.type(`${merchant}${KEY.tab}Late shop${KEY.tab}${KEY.tab}978${KEY.tab}`);
    await terminal.until("› Risk level");
    await terminal.type(" ").until("[high]");
    await terminal.type(KEY.tab).until("› Register");
    terminal.type(KEY.enter);
  }

  it("fetches the credentials of several projects by itself, with both countdowns", async () => {
    const terminal = openConsole(home);
    await terminal.until(/Preparing the project demo-shop\/medium: its credential/);
    await terminal.type("2").until(/ {2}demo-shop\/medium +┃━+ +fetch in 00:0\d +23:59:\d\d/);
    await terminal.until("can be fetched from");
    await terminal.until(", in 23:59:");
    await register(terminal, "other-shop");
    await terminal.until(/ {2}other-shop\/high +┃━+ +/);
    await terminal.until(
      (screen) =>
        /demo-shop\/medium +no check yet +✔ in the vault/.test(screen) &&
        /other-shop\/high +no check yet +✔ in the vault/.test(screen),
    );
  });

  it("says that the window is closed when its end has come, and takes the credential by hand", async () => {
    const terminal = openConsole(home);
    await terminal.until("1 Check");
    await terminal.type("2").until(/in the vault/);
    await register(terminal, "late-shop");
    await terminal.until(/ {2}late-shop\/high +┃━+ +fetch in/);
    await succeeds(home, ["sandbox", "clock", "advance", "24h"]);
    const closed = await terminal.until(/ {2}late-shop\/high +no check yet +✖ closed/);
    expect(closed).toContain("The 24 hours are over");
    expect(closed).toContain("press m to enter it");

    // It is as closed for a console that starts now.
    const other = openConsole(home, { columns: 120, rows: 40 });
    await other.until("4 History");
    other.type("2");
    await other.until(/ {2}late-shop\/high +no check yet +✖ closed/);
    other.type("q");
    await other.exit;

    const credential = await panelCredential("late-shop");
    const secret = (await succeeds(home, ["sandbox", "panel", "--secret", credential.key_id])).trim();
    await terminal.type("m").until("› Key id");
    terminal.type(`${credential.key_id}${KEY.tab}${credential.project_id}${KEY.tab}${KEY.tab}`);
    await terminal.until("› Secret");
    await terminal.type(`\x1b[200~${secret}\n\x1b[201~`).until(/› Secret +…?\*+ +64 characters/);
    await terminal.type(KEY.tab).until("› Save in the vault");
    await terminal.type(KEY.enter).until(/^[ ›] late-shop\/high +no check yet +✔ in the vault/m);
    expect(terminal.written()).not.toContain(secret);
    terminal.type("q");
    await terminal.exit;

    const sent =
      "check --project late-shop/high --set operation=payment --set order_id=o-late --set amount=100";
    expect((await home.run(`${sent} --set currency=978`)).code).toBe(0);
  });
});
