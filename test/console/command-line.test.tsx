// Command lines typed into the console: what is offered, what is refused, what runs, and where its output is shown.

import { type Given, openConsole, WINDOWS } from "./driver.tsx";
import { fileURLToPath } from "node:url";
import { expect, it, vi } from "vitest";
import { hiddenByPresenter } from "#src/state/session.ts";
import { keyName } from "../keys/standard.ts";
import { sandboxProgram, testProgram, type TestProgram } from "./line-program.ts";
import { LIVE } from "./live-context.ts";
import type { SandboxStub } from "./sandbox-stub.ts";

/** A folder with folders in it. */
const test = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

const FACTS = { isSandbox: true, hasPassphrase: false };

async function show({
  program = sandboxProgram,
  ...given
}: Given & { readonly program?: (sandbox: SandboxStub) => TestProgram } = {}) {
  let commandLine = testProgram();
  const onSandbox = (sandbox: SandboxStub) => ({ commandLine: (commandLine = program(sandbox)) });
  const opened = await openConsole({ onSandbox, ...given });
  await opened.screen.until("Compose");
  return { ...opened, program: commandLine, runs: () => opened.asked.run.mock.calls.map(([run]) => run) };
}

/** Prints so many lines. */
const printing = (count: number, problem: string | null = null): TestProgram =>
  testProgram((line, print) => {
    print(Array.from({ length: count }, (_, index) => `${line} row ${index + 1}\n`).join(""));
    return problem;
  });

it.each(WINDOWS.slice(0, 3))(
  "are explained while they are typed, and shown as a page over the screen at %i x %i",
  async (columns, rows) => {
    const { screen, program } = await show({ columns, rows, program: () => printing(60) });
    await screen.press(":").until("or a command line such as");
    await screen.press("history --limit 5").until("verdict history [options]");
    screen.expectWhole();
    const page = await screen.press("\r").until(/history --limit 5 ━.* 1-\d+ of 60/);
    expect(page).toContain("history --limit 5 row 1");
    screen.expectWhole();
    await screen.press("G").until(/row 60/);
    expect(program.ran).toEqual(["history --limit 5"]);
    await screen.press("\x1b").until("Compose");
  },
);

it("say in the message row what is one sentence, and that they failed", async () => {
  const { screen } = await show({ program: () => printing(1) });
  await screen.press(":verdict rules check a.yaml\r").until("rules check a.yaml row 1");
  const failing = await show({ program: () => printing(1, "ended with exit code 2") });
  await failing.screen.press(":rules check b.yaml\r").until("✖ rules check b.yaml row 1");
  const long = await show({ program: () => printing(2, "ended with exit code 8") });
  await long.screen.press(":rules check c.yaml\r").until("row 2");
  expect(long.screen.frame()).toContain("The command ended with exit code 8.");
});

it("are wrapped at words, in the last column of a table as well", async () => {
  const words = "a sentence with so many words that no terminal of eighty columns has room for all of them";
  const program = testProgram((_line, print) => {
    print(`Heading\n \n x\n  ${words}\n  ok       ${words}\n${"x".repeat(70)}  ${words}\n`);
    return null;
  });
  const { screen } = await show({ program: () => program });
  const page = await screen.press(":doctor\r").until(/Heading/);
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
  await screen.press(":replay a.json\r").until(/replay a.json ━/);
  await screen.press(":history\x1b[B\r").until("Another command is running");
  await screen.press("\x1b").until("The command was ended by SIGTERM.");
  expect(model.commandLine.store.getState().running).toBe(false);
  await screen.press("\x1b").until("Compose");
  expect(program.ran).toEqual(["replay a.json"]);
});

it("are completed: commands at once, and names once they are read", async () => {
  const { screen, program, model } = await show();
  const request = model.composer.toRequest();
  await (await model.context.payloads()).save({ name: "big-one", request, expect: null, tags: [] }, false);
  await screen.press(":payload sh\r").until(/Find payload show/);
  await screen.press("b").until(/payload show big-one/);
  await screen.press("\x1b[B\r").until(/Find payload show big-one/);
  screen.press("\r");
  await vi.waitFor(() => expect(program.ran).toEqual(["payload show big-one"]));
  await screen.press(":check --set oper\r").until(/Find check --set operation=/);
  await screen.press("\x1b").until("Compose");
  const offered = await program.names(`check ${test}/hou`, FACTS, model.context);
  expect(offered.map(({ text }) => text)).toEqual([`check ${test}/house/`]);
  // A file that is not there has no numbers to offer.
  await screen.press(":rules tune not-there.yaml --param ").until("verdict rules tune");
  await expect(program.names("rules tune not-there.yaml --param ", FACTS, model.context)).resolves.toEqual(
    [],
  );
});

it("have short forms on the sandbox, whose conditions the header shows", async () => {
  const { screen, program } = await show();
  // What is marked is run: the form that the typed word begins.
  await screen.press(":clock +24\r").until("CLOCK +1 d");
  await screen.press(":faults 503 x2\r").until("1 FAULT");
  await screen.press(":faults clear\r").until((frame) => !/\d FAULT/.test(frame));
  await screen.press(":snap\r").until(/Find snapshot/);
  await screen.press("before\r").until("Done: sandbox snapshot before.");
  expect(program.ran).toEqual([
    "sandbox clock advance 24h",
    "sandbox faults add check 503 --count 2",
    "sandbox faults clear",
    "sandbox snapshot before",
  ]);
});

it("ask before the sandbox forgets, and No is the answer that Enter takes", async () => {
  const { screen, program } = await show();
  await screen.press(":reset\r").until("y reset");
  await screen.press("\r").until((frame) => !frame.includes("y reset"));
  expect(program.ran).toEqual([]);
  await screen.press(":reset all\r").until("Credentials of its projects become invalid");
  await screen.press("y").until("Done: sandbox reset --yes.");
  await screen.press(":sandbox restore before\r").until("y restore");
  await screen.press("y").until("Done: sandbox restore before --yes.");
});

it("put an order id that forces an answer into the composer", async () => {
  const { screen, model } = await show();
  await screen.press("4").until("No single check has been sent yet");
  await screen.press(":order force-b").until("order force-block");
  await screen.press("\r").until(/Order id +force-block-o-/);
  expect(model.session.store.getState().screen).toBe("check");
});

it("get the terminal where they ask, and those for the vault are prepared", async () => {
  const { screen, program, runs } = await show();
  await screen.press("3").until("Vault · sandbox");
  expect(await screen.press("x").until("vault passphrase --set")).not.toContain("clock +1h");
  screen.press("\r");
  await vi.waitFor(() => expect(runs()).toHaveLength(1));
  expect(runs()[0]).toMatchObject({ words: ["vault", "passphrase", "--set"], isOurs: true, wait: true });
  runs()[0]!.onEnd("ended with exit code 130");
  await screen.until("The command ended with exit code 130.");
  await screen.press("ximport").until(/› +vault import/);
  await screen.press("\r").until(/Find vault import/);
  screen.press("a.age\r");
  await vi.waitFor(() => expect(runs()).toHaveLength(2));
  expect(runs()[1]!.words).toEqual(["vault", "import", "a.age"]);
  expect(program.ran).toEqual([]);
});

it("are refused while something is presented, but for those that hide nothing", async () => {
  const { screen, program, runs, model } = await show();
  await screen.press("p").until("PRESENTER");
  for (const line of ["verdict history", "vault passphrase --set", "history show ID"]) {
    screen.press(`:${line}\r`);
    await vi.waitFor(() => expect(model.session.store.getState().palette).toBe(false));
    await screen.until(hiddenByPresenter(keyName).slice(0, 40));
    model.session.dismissToasts();
  }
  expect([program.ran, runs()]).toEqual([[], []]);
  await screen.press(":clock +1h\r").until("CLOCK +1 h");
});

it("whose page shows what is hidden are closed by presenter mode", async () => {
  const { screen } = await show({ program: () => printing(3) });
  await screen.press(":history --limit 3\r").until("row 3");
  await screen.press("p").until((frame) => frame.includes("PRESENTER") && !frame.includes("row 3"));
});

it("run on another profile without short forms, and on a read-only one without those that send", async () => {
  const { screen, program } = await show({
    profile: { name: LIVE.name, readOnly: true },
    program: () => printing(2),
  });
  await screen.press(":clock +1h\r").until("Only the sandbox accepts such commands");
  await screen.press(":check a.json\r").until("is read-only, so nothing");
  await screen.press(":history --limit 2\r").until("row 2");
  expect(program.ran).toEqual(["history --limit 2"]);
});

it("ask for the name of a LIVE profile before one that sends", async () => {
  const { screen, program } = await show({ profile: { name: LIVE.name }, program: () => printing(1) });
  await screen.press(":check a.json\r").until("to continue:");
  expect(screen.flowing()).toContain("Run check a.json, which sends to the LIVE service");
  await screen.press("\r\x1b").until("Compose");
  expect(program.ran).toEqual([]);
  await screen.press(":check a.json\r").until("to continue:");
  await screen.press(LIVE.name).until(LIVE.name);
  await screen.press("\r").until("check a.json row 1");
  await screen.press(":check a.json --dry-run\r").until("check a.json --dry-run row 1");
});

it("are cut in the question, not what it says behind them", async () => {
  const { screen } = await show({ profile: { name: LIVE.name }, program: () => printing(1) });
  await screen.press(`:check ${"a.json ".repeat(100)}\r`).until("to continue:");
  expect(screen.flowing()).toMatch(/…, which sends to the LIVE service at https:\S+ profile shop-live\?/);
});

it("never open a second console", async () => {
  const { screen, program } = await show();
  await screen.press(":demo one-card\r").until("would open a second console");
  await screen.press(":verdict\r").until("would open a second console");
  expect(program.ran).toEqual([]);
});
