// verdict serve and its signals: SIGTERM drains, flushes and ends with 0; a second one does not wait; SIGKILL loses nothing.

import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ENDPOINT_FILE, type SandboxEndpoint } from "#src/contract/wire/sandbox-wire.ts";
import { MOVED } from "#src/storage/write-fault.ts";
import type { Identity } from "#src/signing/sign.ts";
import {
  administration,
  call,
  CHECK,
  makeProject,
  send,
  signedCall,
  type Administered,
  type Administration,
} from "../sandbox/sandbox-under-test.ts";
import { startServing, type Serving } from "./serving-process.ts";
import { testHomeOfTests } from "./verdict-process.ts";

const home = testHomeOfTests();

interface Signalled extends Administered, Administration, Serving {
  readonly state: string;
  readonly logged: () => { readonly event: string }[];
}

async function serve(name: string): Promise<Signalled> {
  const state = join(home.folder, name);
  const serving = await startServing(home, `--admin-port 0 --state ${state}`);
  onTestFinished(() => void serving.child.kill("SIGKILL"));
  const endpoint = JSON.parse(readFileSync(join(state, ENDPOINT_FILE), "utf8")) as SandboxEndpoint;
  const logged = (): { event: string }[] =>
    serving
      .log()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { event: string });
  return { ...endpoint, ...administration(endpoint), ...serving, state, logged };
}

async function end(
  serving: Signalled,
  signal: NodeJS.Signals,
): Promise<{ code: number | null; afterMs: number }> {
  const began = performance.now();
  return { code: await serving.end(signal), afterMs: performance.now() - began };
}

/** A check whose body is not sent yet; the service waits for it. */
async function begun(serving: Signalled, project: Identity): Promise<() => Promise<IncomingMessage>> {
  const { method, path, headers, body } = signedCall(serving.port, "check", project, CHECK);
  const request = httpRequest({
    host: "127.0.0.1",
    port: serving.port,
    method,
    path,
    headers: {
      ...(headers as Record<string, string>),
      expect: "100-continue",
      "content-length": String(body!.length),
    },
  });
  const answered = once(request, "response") as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  request.on("error", () => undefined);
  request.flushHeaders();
  await once(request, "continue");
  return async () => {
    request.end(body);
    return (await answered)[0];
  };
}

it("on SIGTERM finishes what is under way, refuses what is new, flushes, and exits 0", async () => {
  const serving = await serve("drained");
  const project = await makeProject(serving, await serving.company());
  const finish = await begun(serving, project);
  const ended = end(serving, "SIGTERM");
  await expect.poll(() => serving.logged().some(({ event }) => event === "stopping")).toBe(true);
  const late = await send(serving.port, { path: "/health" }).catch(() => null);
  expect(late?.status ?? 503).toBe(503);
  const answer = await finish();
  expect([answer.statusCode, answer.headers["connection"]]).toEqual([200, "close"]);
  answer.resume();
  const { code, afterMs } = await ended;
  expect(code).toBe(0);
  expect(afterMs).toBeLessThan(5_000);
  expect(serving.logged().at(-1)).toMatchObject({ event: "stopped" });
  expect(existsSync(join(serving.state, ENDPOINT_FILE))).toBe(false);

  const next = await serve("drained");
  const explained = await next.admin(
    "GET",
    `/_sandbox/decisions/${String(answer.headers["x-verdict-decision"])}`,
  );
  expect(explained.status).toBe(200);
  const repeat = await call(next, "check", project, { ...CHECK, order_id: "order-2" });
  expect(repeat.status).toBe(200);
  expect((await next.status()).decisions).toBe(2);
  expect((await end(next, "SIGTERM")).code).toBe(0);
});

it("on SIGTERM says in a sentence what could not be saved, and exits 74", async () => {
  const { child, state } = await serve("unsaved");
  const database = join(state, "state.db");
  rmSync(database);
  mkdirSync(database);
  let said = "";
  child.stderr!.on("data", (text: string) => (said += text));
  const ended = once(child, "close");
  child.kill("SIGTERM");
  expect((await ended)[0]).toBe(74);
  expect(said).toContain(`${database} ${MOVED}`);
  expect(said).not.toContain("internal error");
});

it("on SIGTERM cuts after 5 s what does not end, and exits 0 all the same", async () => {
  const serving = await serve("stuck");
  const project = await makeProject(serving, await serving.company());
  const finish = await begun(serving, project);
  const { code, afterMs } = await end(serving, "SIGTERM");
  expect(code).toBe(0);
  expect(afterMs).toBeGreaterThan(4_500);
  expect(afterMs).toBeLessThan(12_000);
  await expect(finish()).rejects.toThrow();
  const next = await serve("stuck");
  expect(await next.status()).toMatchObject({ projects: 1, decisions: 0, writable: true });
});

it.each(["SIGTERM twice", "SIGKILL"] as const)(
  "%s: ends at once, and the next start has everything",
  async (how) => {
    const serving = await serve(how.replace(" ", "-"));
    const company = await serving.company();
    const project = await makeProject(serving, company);
    await serving.clock({ do: "freeze" });
    const sent = signedCall(serving.port, "check", project, CHECK);
    const first = await send(serving.port, sent);
    const more = [];
    for (let order = 2; order <= 5; order += 1) {
      more.push(await call(serving, "check", project, { ...CHECK, order_id: `order-${order}` }));
    }
    expect([first, ...more].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { virtualTime } = await serving.status();
    await begun(serving, project);
    if (how === "SIGKILL") {
      await end(serving, "SIGKILL");
    } else {
      serving.child.kill("SIGTERM");
      await expect.poll(() => serving.logged().some(({ event }) => event === "stopping")).toBe(true);
      const { code, afterMs } = await end(serving, "SIGTERM");
      expect(code).toBe(143);
      // Without the second one it would wait for 5 s.
      expect(afterMs).toBeLessThan(4_500);
    }

    const next = await serve(how.replace(" ", "-"));
    expect(await next.status()).toMatchObject({ projects: 1, decisions: 5, virtualTime, clockFrozen: true });
    // Its signature is known, the identical order is answered as before and counted no second time.
    expect((await send(next.port, sent)).status).toBe(401);
    const repeat = await call(next, "check", project, CHECK);
    expect([repeat.text, repeat.headers["x-verdict-decision"]]).toEqual([
      first.text,
      first.headers["x-verdict-decision"],
    ]);
    for (const answer of [first, ...more]) {
      expect((await next.explanation(answer)).message).toBe(answer.body["message"]);
    }
    const sixth = await call(next, "check", project, { ...CHECK, order_id: "order-6" });
    expect((await next.explanation(sixth)).counters).toContainEqual(expect.objectContaining({ value: 6 }));
    expect((await end(next, "SIGTERM")).code).toBe(0);
  },
);
