// Command lines typed into the console: what is offered, what is refused, what runs, and where its output is shown.

import { mount, type Mounted } from "./harness.tsx";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { App } from "#screens/shell/app.tsx";
import { BINDINGS } from "#screens/shell/bindings.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import { hiddenByPresenter, type ProgramRun } from "#src/state/session.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import { widthOf } from "#src/ui/fit.ts";
import { keyName } from "../keys/standard.ts";
import { sandboxProgram, testProgram, type TestProgram } from "./line-program.ts";
import { LIVE, profileContext } from "./live-context.ts";
import { withSandbox, type SandboxStub } from "./sandbox-stub.ts";
import { testContext } from "./test-context.ts";

/** A folder with folders in it. */
const test = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

const FACTS = { isSandbox: true, hasPassphrase: false };

interface Shown {
  readonly screen: Mounted;
  readonly model: ConsoleModel;
  readonly program: TestProgram;
  /** What got the terminal. */
  readonly runs: ProgramRun[];
}

interface Given {
  readonly columns?: number;
  readonly rows?: number;
  readonly profile?: Profile;
  readonly program?: (sandbox: SandboxStub) => TestProgram;
}

async function show({
  columns = 80,
  rows = 24,
  profile,
  program = sandboxProgram,
}: Given = {}): Promise<Shown> {
  const test = profile === undefined ? await testContext() : await profileContext(profile);
  const sandbox = withSandbox(test.context);
  const commandLine = program(sandbox);
  const model = createConsoleModel(profile === undefined ? sandbox.context : test.context, {
    keyName,
    now: () => Date.now(),
    ascii: false,
    quit: vi.fn(),
    commandLine,
  });
  const runs: ProgramRun[] = [];
  const screen = mount(
    <ConsoleModelProvider value={model}>
      <App onInterrupt={vi.fn()} onSuspend={vi.fn()} onEdit={vi.fn()} onRun={(run) => void runs.push(run)} />
    </ConsoleModelProvider>,
    { columns, rows, bindings: BINDINGS },
  );
  onTestFinished(async () => {
    screen.unmount();
    await model.close();
    await test.remove();
  });
  await screen.until("Compose");
  return { screen, model, program: commandLine, runs };
}

/** Prints so many lines. */
const printing = (count: number, problem: string | null = null): TestProgram =>
  testProgram((line, print) => {
    print(Array.from({ length: count }, (_, index) => `${line} row ${index + 1}\n`).join(""));
    return problem;
  });

function expectWhole(screen: Mounted, columns: number, rows: number): void {
  expect(screen.lines()).toHaveLength(rows);
  for (const line of screen.lines()) expect(widthOf(line)).toBeLessThanOrEqual(columns);
}

it.each([
  [60, 20],
  [80, 24],
  [140, 40],
])(
  "are explained while they are typed, and shown as a page over the screen at %i x %i",
  async (columns, rows) => {
    const { screen, program } = await show({ columns, rows, program: () => printing(60) });
    screen.press(":");
    await screen.until("or a command line such as");
    screen.press("history --limit 5");
    await screen.until("verdict history [options]");
    expectWhole(screen, columns, rows);
    screen.press("\r");
    const page = await screen.until(/history --limit 5 ━.* 1-\d+ of 60/);
    expect(page).toContain("history --limit 5 row 1");
    expectWhole(screen, columns, rows);
    screen.press("G");
    await screen.until(/row 60/);
    expect(program.ran).toEqual(["history --limit 5"]);
    screen.press("\x1b");
    await screen.until("Compose");
  },
);

it("say in the message row what is one sentence, and that they failed", async () => {
  const { screen } = await show({ program: () => printing(1) });
  screen.press(":verdict rules check a.yaml\r");
  await screen.until("rules check a.yaml row 1");
  const failing = await show({ program: () => printing(1, "ended with exit code 2") });
  failing.screen.press(":rules check b.yaml\r");
  await failing.screen.until("✖ rules check b.yaml row 1");
  const long = await show({ program: () => printing(2, "ended with exit code 8") });
  long.screen.press(":rules check c.yaml\r");
  await long.screen.until("row 2");
  expect(long.screen.frame()).toContain("The command ended with exit code 8.");
});

it("are wrapped at words, in the last column of a table as well", async () => {
  const words = "a sentence with so many words that no terminal of eighty columns has room for all of them";
  const program = testProgram((_line, print) => {
    print(`Heading\n \n x\n  ${words}\n  ok       ${words}\n${"x".repeat(70)}  ${words}\n`);
    return null;
  });
  const { screen } = await show({ program: () => program });
  screen.press(":doctor\r");
  const page = await screen.until(/Heading/);
  const rows = page.split("\n");
  const at = rows.findIndex((row) => row.includes("Heading"));
  expect(rows.slice(at + 3, at + 7)).toEqual([
    expect.stringMatching(/^ {4}a sentence .* columns has room$/),
    expect.stringMatching(/^ {4}for all of them$/),
    expect.stringMatching(/^ {4}ok {7}a sentence /),
    expect.stringMatching(/^ {13}\S.* all of them$/),
  ]);
  expect(page.replaceAll(/\s+/g, "")).toContain(`xx${words.replaceAll(" ", "")}`);
});

it("show what comes while they run, and Esc ends them", async () => {
  const program = testProgram(
    (_line, print, signal) =>
      new Promise((resolve) => {
        print("one\ntwo\n");
        signal.addEventListener("abort", () => resolve("was ended by SIGTERM"));
      }),
  );
  const { screen, model } = await show({ program: () => program });
  screen.press(":replay a.json\r");
  await screen.until(/replay a.json ━/);
  screen.press(":history\x1b[B\r");
  await screen.until("Another command is running");
  screen.press("\x1b");
  await screen.until("The command was ended by SIGTERM.");
  expect(model.commandLine.store.getState().running).toBe(false);
  screen.press("\x1b");
  await screen.until("Compose");
  expect(program.ran).toEqual(["replay a.json"]);
});

it("are completed: commands at once, and names once they are read", async () => {
  const { screen, program, model } = await show();
  const { request } = { request: model.composer.toRequest() };
  await (await model.context.payloads()).save({ name: "big-one", request, expect: null, tags: [] }, false);
  screen.press(":payload sh\r");
  await screen.until(/Find payload show/);
  screen.press("b");
  await screen.until(/payload show big-one/);
  screen.press("\x1b[B\r");
  await screen.until(/Find payload show big-one/);
  screen.press("\r");
  await vi.waitFor(() => expect(program.ran).toEqual(["payload show big-one"]));
  screen.press(":check --set oper\r");
  await screen.until(/Find check --set operation=/);
  screen.press("\x1b");
  await screen.until("Compose");
  const offered = await program.names(`check ${test}/hou`, FACTS, model.context);
  expect(offered.map(({ text }) => text)).toEqual([`check ${test}/house/`]);
  // A file that is not there has no numbers to offer.
  screen.press(":rules tune not-there.yaml --param ");
  await screen.until("verdict rules tune");
  await expect(program.names("rules tune not-there.yaml --param ", FACTS, model.context)).resolves.toEqual(
    [],
  );
});

it("have short forms on the sandbox, whose conditions the header shows", async () => {
  const { screen, program } = await show();
  // What is marked is run: the form that the typed word begins.
  screen.press(":clock +24\r");
  await screen.until("CLOCK +1 d");
  screen.press(":faults 503 x2\r");
  await screen.until("1 FAULT");
  screen.press(":faults clear\r");
  await screen.until((frame) => !/\d FAULT/.test(frame));
  screen.press(":snap\r");
  await screen.until(/Find snapshot/);
  screen.press("before\r");
  await screen.until("Done: sandbox snapshot before.");
  expect(program.ran).toEqual([
    "sandbox clock advance 24h",
    "sandbox faults add check 503 --count 2",
    "sandbox faults clear",
    "sandbox snapshot before",
  ]);
});

it("ask before the sandbox forgets, and No is the answer that Enter takes", async () => {
  const { screen, program } = await show();
  screen.press(":reset\r");
  await screen.until("y reset");
  screen.press("\r");
  await screen.until((frame) => !frame.includes("y reset"));
  expect(program.ran).toEqual([]);
  screen.press(":reset all\r");
  await screen.until("Credentials of its projects become invalid");
  screen.press("y");
  await screen.until("Done: sandbox reset --yes.");
  screen.press(":sandbox restore before\r");
  await screen.until("y restore");
  screen.press("y");
  await screen.until("Done: sandbox restore before --yes.");
});

it("put an order id that forces an answer into the composer", async () => {
  const { screen, model } = await show();
  screen.press("4");
  await screen.until("No single check has been sent yet");
  screen.press(":order force-b");
  await screen.until("order force-block");
  screen.press("\r");
  await screen.until(/Order id +force-block-o-/);
  expect(model.session.store.getState().screen).toBe("check");
});

it("get the terminal where they ask, and those for the vault are prepared", async () => {
  const { screen, program, runs } = await show();
  screen.press("3");
  await screen.until("Vault · sandbox");
  screen.press("x");
  await screen.until("vault passphrase --set");
  expect(screen.frame()).not.toContain("clock +1h");
  screen.press("\r");
  await vi.waitFor(() => expect(runs).toHaveLength(1));
  expect(runs[0]).toMatchObject({ words: ["vault", "passphrase", "--set"], isOurs: true, wait: true });
  runs[0]!.onEnd("ended with exit code 130");
  await screen.until("The command ended with exit code 130.");
  screen.press("ximport");
  await screen.until(/› +vault import/);
  screen.press("\r");
  await screen.until(/Find vault import/);
  screen.press("a.age\r");
  await vi.waitFor(() => expect(runs).toHaveLength(2));
  expect(runs[1]!.words).toEqual(["vault", "import", "a.age"]);
  expect(program.ran).toEqual([]);
});

it("are refused while something is presented, but for those that hide nothing", async () => {
  const { screen, program, runs, model } = await show();
  screen.press("p");
  await screen.until("PRESENTER");
  for (const line of ["verdict history", "vault passphrase --set", "history show ID"]) {
    screen.press(`:${line}\r`);
    await vi.waitFor(() => expect(model.session.store.getState().palette).toBe(false));
    await screen.until(hiddenByPresenter(keyName).slice(0, 40));
    model.session.dismissToasts();
  }
  expect([program.ran, runs]).toEqual([[], []]);
  screen.press(":clock +1h\r");
  await screen.until("CLOCK +1 h");
});

it("whose page shows what is hidden are closed by presenter mode", async () => {
  const { screen } = await show({ program: () => printing(3) });
  screen.press(":history --limit 3\r");
  await screen.until("row 3");
  screen.press("p");
  await screen.until((frame) => frame.includes("PRESENTER") && !frame.includes("row 3"));
});

it("run on another profile without short forms, and on a read-only one without those that send", async () => {
  const { screen, program } = await show({
    profile: { ...LIVE, readOnly: true },
    program: () => printing(2),
  });
  screen.press(":clock +1h\r");
  await screen.until("Only the sandbox accepts such commands");
  screen.press(":check a.json\r");
  await screen.until("is read-only, so nothing");
  screen.press(":history --limit 2\r");
  await screen.until("row 2");
  expect(program.ran).toEqual(["history --limit 2"]);
});

it("ask for the name of a LIVE profile before one that sends", async () => {
  const { screen, program } = await show({ profile: LIVE, program: () => printing(1) });
  screen.press(":check a.json\r");
  await screen.until("to continue:");
  expect(screen.frame().replaceAll(/\s+/g, " ")).toContain(
    "Run check a.json, which sends to the LIVE service",
  );
  screen.press("\r\x1b");
  await screen.until("Compose");
  expect(program.ran).toEqual([]);
  screen.press(":check a.json\r");
  await screen.until("to continue:");
  screen.press(LIVE.name);
  await screen.until(LIVE.name);
  screen.press("\r");
  await screen.until("check a.json row 1");
  screen.press(":check a.json --dry-run\r");
  await screen.until("check a.json --dry-run row 1");
});

it("are cut in the question, not what it says behind them", async () => {
  const { screen } = await show({ profile: LIVE, program: () => printing(1) });
  screen.press(`:check ${"a.json ".repeat(100)}\r`);
  await screen.until("to continue:");
  expect(screen.frame().replaceAll(/\s+/g, " ")).toMatch(
    /…, which sends to the LIVE service at https:\S+ profile shop-live\?/,
  );
});

it("never open a second console", async () => {
  const { screen, program } = await show();
  screen.press(":demo one-card\r");
  await screen.until("would open a second console");
  screen.press(":verdict\r");
  await screen.until("would open a second console");
  expect(program.ran).toEqual([]);
});
