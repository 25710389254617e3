// What the stories of the console stand on: a home, its console in a terminal, and a service that answers as it is told.

import { afterAll, beforeAll, beforeEach, onTestFinished, vi } from "vitest";
import { testHome, type TestHome } from "../../cli/verdict-process.ts";
import { answer, PASS, startHostileService } from "../../client/hostile-service.ts";
import { openPseudoTerminal, type PseudoTerminal, type TerminalOptions } from "../pty.ts";

export const KEY = {
  enter: "\r",
  /** As some terminals send it: the key that a story types next would be one with Alt behind a bare Esc. */
  esc: "\x1b[27u",
  tab: "\t",
  clear: "\x15",
  sendAnywhere: "\x12",
  interrupt: "\x03",
} as const;

/** Modes of a terminal that the console has, and of one that it has given back. */
export const TAKEN = {
  markedPastes: true,
  cursorVisible: false,
  alternateScreen: true,
  mouse: false,
} as const;
export const GIVEN_BACK = {
  markedPastes: false,
  cursorVisible: true,
  alternateScreen: false,
  mouse: false,
} as const;

/** The banner of a console that can send and has not yet. */
export const READY = "Enter sends this payment for";

/** Colours of the verdicts among the sixteen. */
export const COLOR = { red: 1, green: 2, yellow: 3, magenta: 5 } as const;

/** The console of a home; closed when the test ends. */
export function openConsole(home: TestHome, options: Partial<TerminalOptions> = {}): PseudoTerminal {
  const { env, ...others } = options;
  const terminal = openPseudoTerminal({ cwd: home.folder, ...others, env: { ...home.env, ...env } });
  onTestFinished(() => terminal.close());
  return terminal;
}

/** The console once it has drawn its first frame and can send. */
export async function readyConsole(
  home: TestHome,
  options: Partial<TerminalOptions> = {},
): Promise<PseudoTerminal> {
  const terminal = openConsole(home, options);
  const first = await terminal.until("sends this payment for");
  // Away from the sandbox the focus is on the first of the empty fields.
  if (!first.includes(READY)) terminal.type(KEY.esc);
  await terminal.until(READY);
  return terminal;
}

/** A marked paste, as terminals send it. */
export function pasted(text: string): string {
  return `\x1b[200~${text}\x1b[201~`;
}

/** The rows of the history with this order id, newest first, as the command line prints them. */
export function rowsOf(home: TestHome, orderId: string): Promise<Record<string, unknown>[]> {
  return home.json(["history", "--where", `order:${orderId}`, "--json"]);
}

export interface FakeService {
  /** What it answers from now on. */
  answer(status: number, body: unknown): void;
  /** From now on it takes requests and says nothing. */
  fallSilent(): void;
  /** Bodies of the requests that came. */
  readonly received: readonly unknown[];
  close(): Promise<void>;
}

/** The secret of the one credential of a fake service's home. */
export const FAKE_SECRET: string = "feedfacecafebeef".repeat(3);

/** A service that believes every signature, for a home whose profile in use is `fake` from then on. */
export async function fakeService(home: TestHome): Promise<FakeService> {
  let does = answer(200, PASS);
  const received: unknown[] = [];
  const service = await startHostileService([
    (socket, request) => {
      received.push(JSON.parse(Buffer.from(request.body, "latin1").toString("utf8")));
      does(socket, request);
    },
  ]);
  await succeeds(home, ["profile", "add", "fake", "--base-url", service.url]);
  await succeeds(home, ["profile", "use", "fake"]);
  const owner = "--merchant-id shop --risk-level low --key-id key-1 --project-id prj-1 --secret-stdin";
  await succeeds(home, ["vault", "add", ...owner.split(" ")], FAKE_SECRET);
  return {
    answer: (status, body) => void (does = answer(status, JSON.stringify(body))),
    fallSilent: () => void (does = () => undefined),
    received,
    close: async () => service[Symbol.asyncDispose](),
  };
}

/** What was sent to the clipboard of the terminal, oldest first. */
export function copies(terminal: PseudoTerminal): string[] {
  // oxlint-disable-next-line no-control-regex
  return [...terminal.written().matchAll(/\u001B\]52;c;([A-Za-z0-9+/=]*)\u0007/g)].map(([, data]) =>
    Buffer.from(data!, "base64").toString("utf8"),
  );
}

/** Runs a command that must succeed. */
export async function succeeds(home: TestHome, args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await home.run(args, input === undefined ? {} : { input });
  if (code !== 0) throw new Error(`verdict ${args.join(" ")} ended with ${code}: ${stderr}`);
  return stdout;
}

/** What a service answers when the payment needs 3-D Secure. */
const CHALLENGE = { status: "success", code: "3ds_or_block", message: "Ask for 3-D Secure" } as const;

/** Presses Enter on Send until that has sent, which it does not soon after an outcome. */
export async function sendNext(terminal: PseudoTerminal, isSent: (screen: string) => boolean): Promise<void> {
  const press = (): void => {
    if (isSent(terminal.screen())) return;
    terminal.type(KEY.enter);
    throw new Error(`Nothing was sent yet:\n${terminal.screen()}`);
  };
  await vi.waitFor(press, { interval: 1_000, timeout: 60_000 });
}

/** Sends what stands on Check, to a service that answers with `CHALLENGE`. */
export async function sendChallenged(terminal: PseudoTerminal): Promise<void> {
  await terminal.type(KEY.enter).until("Can 3-D Secure be forced");
}

export interface ServedHome {
  readonly home: TestHome;
  readonly service: FakeService;
}

/** For a group of tests: a home and its service. To be read within tests and their hooks alone. */
export function servedHome(): ServedHome {
  let home: TestHome;
  let service: FakeService;
  beforeAll(async () => {
    home = testHome();
    service = await fakeService(home);
  });
  afterAll(async () => {
    await service.close();
    await home.remove();
  });
  return {
    get home() {
      return home;
    },
    get service() {
      return service;
    },
  };
}

/** The same with a service that answers each test with `CHALLENGE`. */
export function challengedHome(): ServedHome {
  const served = servedHome();
  beforeEach(() => served.service.answer(200, CHALLENGE));
  return served;
}
