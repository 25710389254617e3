// A console with all that it could send, on a profile that may send or is read-only, and a service that counts what comes.

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { draw } from "./driver.tsx";
import { check } from "#src/actions/check/check.ts";
import { startReplay } from "#src/actions/replay/running-replay.ts";
import { createContext, type Context } from "#src/app/context.ts";
import { findHome } from "#src/app/home.ts";
import type { Binding } from "#src/keys/binding.ts";
import type { InputEvent } from "#src/keys/key-parser.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import { keyName } from "../keys/standard.ts";
import { noDamage } from "../storage/no-damage.ts";
import type { Mounted } from "./harness.tsx";
import { putCompanyKey, putCredential } from "./test-context.ts";
import { projectOf } from "./samples.ts";

const NOT_STOPPED = new AbortController().signal;
const PAYMENT = { operation: "payment", order_id: "o-1", amount: 100, currency: 980 };
/** The service answers it with a cut connection, so that it may be sent again. */
const CUT = "o-cut";
const CHECK_INPUT = { project: undefined, canForce3ds: null, warnings: [], repeats: null, record: true };
const ANSWER = JSON.stringify({ status: "success", code: "pass", message: "fine" });
const HTTP_ANSWER = [
  "HTTP/1.1 200 OK",
  "content-type: application/json",
  `content-length: ${ANSWER.length}`,
  "connection: close",
  "",
  ANSWER,
].join("\r\n");

export interface Console {
  readonly model: ConsoleModel;
  readonly screen: Mounted;
}

/** A home with all that can be sent from; each test works in a copy. */
let seeded: string;
let folder: string;
let url: string;
/** Connections and bytes that came to the service. */
export const came = { connections: 0, bytes: 0 };
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  came.connections += 1;
  sockets.add(socket);
  let request = "";
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    came.bytes += chunk.length;
    request += chunk.toString("latin1");
    const [head = "", body = ""] = request.split("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (!request.includes("\r\n\r\n") || body.length < length) return;
    if (body.includes(CUT)) socket.destroy();
    else socket.end(HTTP_ANSWER);
  });
});
const opened: { readonly close: () => Promise<void> }[] = [];

export async function closeConsoles(): Promise<void> {
  for (const { close } of opened.splice(0)) await close();
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  seeded = mkdtempSync(join(tmpdir(), "verdict-read-only-"));
  folder = seeded;
  await seed();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  rmSync(seeded, { recursive: true, force: true });
});
/** A connection that a closed console had begun may still wait to be accepted: one that comes after it ends the wait. */
async function untilAllAreCounted(): Promise<void> {
  const last = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(last, "connect");
  const isLast = (socket: Socket): boolean => socket.remotePort === last.localPort;
  while (![...sockets].some(isLast)) await turn();
  last.destroy();
}

beforeEach(async () => {
  await untilAllAreCounted();
  folder = mkdtempSync(join(tmpdir(), "verdict-read-only-"));
  cpSync(seeded, folder, { recursive: true });
  Object.assign(came, { connections: 0, bytes: 0 });
});
afterEach(async () => {
  await closeConsoles();
  rmSync(folder, { recursive: true, force: true });
});

const openContext = (profile: string | undefined): Promise<Context> =>
  createContext({ onProblem: noDamage, home: findHome({}, folder), env: {}, profile, executable: [] });

export async function putProfile(readOnly: boolean): Promise<void> {
  const context = await openContext(undefined);
  const profile = { environment: "TEST", baseUrl: url, projectsUrl: url, recipe: "http-signatures" } as const;
  const book = await context.profiles();
  await book.put({ ...profile, name: "real", amountUnit: "minor", credentialWaitS: 0, readOnly });
  await context.close();
}

/** Keys, a registered project, a check with a verdict and one that got none, a saved payload, an unfinished run. */
async function seed(): Promise<void> {
  await putProfile(false);
  const context = await openContext("real");
  await putCredential(context, "m/low");
  await putCompanyKey(context, "c");
  for (const orderId of ["o-1", CUT]) {
    const request = { ...PAYMENT, order_id: orderId };
    await check(context, { ...CHECK_INPUT, request }, NOT_STOPPED, () => undefined);
  }
  // Registered, and its credential not fetched yet.
  await (
    await context.projects()
  ).put(
    projectOf({
      profile: "real",
      companyId: "c",
      merchantId: "waiting",
      riskLevel: "low",
      name: "Waiting",
      startedAt: Date.now(),
    }),
  );
  await (await context.payloads()).save({ name: "kept", tags: [], expect: null, request: PAYMENT }, false);
  const source = join(folder, "payments.ndjson");
  const lines = ["o-2", "o-3", "o-4"].map((orderId) => JSON.stringify({ ...PAYMENT, order_id: orderId }));
  writeFileSync(source, `${lines.join("\n")}\n`);
  const stopping = new AbortController();
  const run = startReplay(
    context,
    {
      sources: [source],
      project: undefined,
      concurrency: 1,
      ratePerS: null,
      baseline: null,
      continues: null,
      freshOrderIds: false,
      strict: false,
      stopAfterFailures: 0,
      stdin: null,
    },
    stopping.signal,
    ({ type }) => {
      if (type === "settled") stopping.abort();
    },
  );
  await run.ended;
  await context.close();
}

export async function openConsole(): Promise<Console> {
  const context = await openContext("real");
  // Each look at the clock is a second later, so that no key counts as one that is held.
  let now = Date.now();
  const model = createConsoleModel(context, {
    keyName,
    now: () => (now += 1_000),
    ascii: false,
    quit: () => undefined,
  });
  const { screen } = draw(model, { columns: 120, rows: 40 });
  opened.push({
    async close() {
      screen.unmount();
      await model.close();
      await context.close();
    },
  });
  await screen.until("Compose");
  await model.start();
  return { model, screen };
}

/** What is drawn and opened by effects gets its turn. */
export const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

export const reached = ({ screen }: Console, id: string) =>
  screen.dispatcher.active().find(({ binding }) => binding.id === id);

export function pressOf({ keys }: Binding): InputEvent {
  const key = keys[0]!;
  return key.length > 1 ? { type: "key", name: key } : { type: "text", text: key };
}

/** Answers one question with yes, or accepts what a line proposes. False where nothing is asked. */
export async function agree({ model, screen }: Console): Promise<boolean> {
  await turn();
  const { dialog, prompt } = model.session.store.getState();
  if (dialog?.typed !== undefined) {
    screen.press(dialog.typed);
    await turn();
    screen.press("\r");
  } else if (dialog !== null) screen.press("y");
  else if (prompt !== null) screen.press("\r");
  else return false;
  return true;
}

/** Agrees with all that is asked within so many turns. */
export async function agreeToAll(at: Console, turns: number = 4): Promise<void> {
  for (let count = 0; count < turns; count += 1) await agree(at);
}
