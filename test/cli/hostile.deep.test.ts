// The command line against a hostile service: nothing that is not pass is shown, stored or exited as pass, and nothing is sent
// twice. What is sent again when it is asked for is in sending-again.transcript.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  answer,
  type Behaviour,
  cut,
  drip,
  flood,
  type HostileService,
  PASS,
  raw,
  rawThenClose,
  startHostileService,
} from "../client/hostile-service.ts";
import { BODIES, CODES, FORGED_WAYS } from "../client/look-alikes.ts";
import { homeOfTests, pointAt } from "./in-process.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

const CHECK = "check --project shop/low --set order_id=A-1 --set amount=12000 --set currency=980".split(" ");
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const FRAMED = `${HEAD}content-length: ${PASS.length}\r\n\r\n${PASS}`;
/** "PASS" that is not part of "NOT PASS". */
const SAYS_PASS = /(?<!NOT )PASS/;

let service: HostileService;
let onConnect: ((socket: Parameters<Behaviour>[0]) => void) | null = null;
const home = homeOfTests();
beforeAll(async () => {
  service = await startHostileService([], (socket) => onConnect?.(socket));
  await pointAt(home, service.url);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

interface Stored {
  readonly outcome: string;
  readonly recommendation: string | null;
}

/** What the check printed and left in the history. */
async function checked(does: Behaviour) {
  service.play(does);
  const printed = await home.run([...CHECK, "--json"]);
  const said = JSON.parse(printed.stdout) as Stored & { readonly id: string };
  const shown = await home.run(["history", "show", said.id]);
  const [stored] = await home.json(["history", "show", said.id, "--json"]);
  return { code: printed.code, said, shown: shown.stdout, stored: stored as unknown as Stored };
}

async function isNotPass(does: Behaviour): Promise<void> {
  const { code, said, shown, stored } = await checked(does);
  expect([5, 6, 7]).toContain(code);
  for (const kept of [said, stored]) expect(kept).toMatchObject({ recommendation: null });
  expect(said.outcome).not.toBe("answered");
  expect(stored.outcome).toBe(said.outcome);
  expect(shown.split("\n")[0]).toMatch(/NOT PASS|UNKNOWN|REFUSED/);
  expect(shown.split("\n")[0]).not.toMatch(SAYS_PASS);
  expect(service.requests).toHaveLength(1);
}

describe("look-alikes", () => {
  test("there are many", () =>
    expect(CODES.length + BODIES.length + FORGED_WAYS.length).toBeGreaterThan(120));

  test.each(CODES)("the code %j", (code) =>
    isNotPass(answer(200, JSON.stringify({ status: "success", code, message: "pass" }))),
  );

  test.each(BODIES)("the body %j", (body) => isNotPass(answer(200, body)));

  test.each(FORGED_WAYS)("%s", (_, does) => isNotPass(does));

  test("none of them is in the history as pass", async () => {
    expect(await home.json(["history", "--json", "--limit", "1000", "--where", "verdict:pass"])).toEqual([]);
    const { stdout } = await home.run(["history", "--limit", "1000"]);
    expect(stdout.split("\n").length).toBeGreaterThan(120);
    expect(stdout).not.toMatch(SAYS_PASS);
  });
});

const SIZE = PASS.length.toString(16);

/** What is odd and yet a whole, well-formed answer: the control for all that is refused. */
test.each<[string, Behaviour]>([
  ["byte by byte", drip(FRAMED)],
  ["in chunks of one byte", drip(`${HEAD}transfer-encoding: chunked\r\n\r\n${SIZE}\r\n${PASS}\r\n0\r\n\r\n`)],
  [
    "in chunks with extensions and trailers",
    raw(`${HEAD}transfer-encoding: Chunked\r\n\r\n${SIZE};a=b\r\n${PASS}\r\n0\r\ncode: block\r\n\r\n`),
  ],
  ["after interim answers", raw(`${"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(50)}${FRAMED}`)],
  ["after a Continue that nobody asked for", rawThenClose(`HTTP/1.1 100 Continue\r\n\r\n${FRAMED}`)],
  ["cut right behind it", rawThenClose(FRAMED)],
  ["with another answer behind it", raw(FRAMED + FRAMED.replace("pass", "PASS"))],
  ["with garbage behind it", raw(`${FRAMED}garbage`)],
])("a pass that comes %s is a pass, of this request alone", async (_, does) => {
  const { code, said } = await checked(does);
  expect(code).toBe(0);
  expect(said).toMatchObject({ outcome: "answered", recommendation: "pass" });
  expect(service.requests).toHaveLength(1);
  await isNotPass(answer(200, '{"status":"success","code":"other"}'));
});

describe("cut points", () => {
  const CUTS: readonly (readonly [string, Behaviour])[] = [
    ["as soon as the request is there", cut],
    ["without an answer", rawThenClose("")],
    ["inside the status line", rawThenClose("HTTP/1.1 2")],
    ["behind the status line", rawThenClose("HTTP/1.1 200 OK\r\n")],
    ["inside a header", rawThenClose(`${HEAD}content-le`)],
    ["behind the headers", rawThenClose(`${HEAD}content-length: ${PASS.length}\r\n\r\n`)],
    ["inside the body", rawThenClose(FRAMED.slice(0, -PASS.length + 20))],
    ["one byte before the end", rawThenClose(FRAMED.slice(0, -1))],
    [
      "inside a chunk",
      rawThenClose(`${HEAD}transfer-encoding: chunked\r\n\r\n${SIZE}\r\n${PASS.slice(0, 9)}`),
    ],
    [
      "before the last chunk",
      rawThenClose(`${HEAD}transfer-encoding: chunked\r\n\r\n${SIZE}\r\n${PASS}\r\n`),
    ],
    ["behind a Continue that nobody asked for", rawThenClose("HTTP/1.1 100 Continue\r\n\r\n")],
    ["behind an interim answer", rawThenClose("HTTP/1.1 103 Early Hints\r\n\r\n")],
    ["with garbage", rawThenClose("\0\x01\x02\x03 220 smtp\r\n")],
    ["by endless headers", flood("x: y\r\n", HEAD)],
    [
      "by a switch of protocols",
      rawThenClose("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    ],
  ];
  const REGISTER = ["register", "--name", "M", "--currency", "UAH", "--risk-level", "low", "--merchant-id"];
  const calls: readonly (readonly [string, (merchant: string) => readonly string[]])[] = [
    ["check", () => CHECK],
    ["register", (merchant) => [...REGISTER, merchant]],
    ["credential", (merchant) => ["credential", "--risk-level", "low", "--merchant-id", merchant]],
  ];
  const cases = CUTS.flatMap(([name, does]) => calls.map(([call, words]) => ({ name, does, call, words })));

  test.each(cases)("$call: cut $name is unknown, sent once", async ({ name, does, words }) => {
    service.play(does);
    const { code, stdout, stderr } = await home.run(
      words(`cut-${CUTS.findIndex(([other]) => other === name)}`),
    );
    expect(code, stdout + stderr).toBe(6);
    expect(`${stdout}${stderr}`).not.toMatch(SAYS_PASS);
    expect(service.requests).toHaveLength(1);
  });

  test("cut while the request is being written: unknown, and never a second connection", async () => {
    for (const [, words] of calls) {
      service.play();
      onConnect = (socket) => void socket.once("data", () => socket.resetAndDestroy());
      const { code } = await home.run(words("cut-early"));
      onConnect = null;
      expect(code).toBe(6);
      expect(service.connections()).toBe(1);
    }
  });

  test("a refusal that comes before the body was read is no pass", async () => {
    service.play();
    onConnect = (socket) => {
      socket.once("data", () => {
        socket.pause();
        socket.end("HTTP/1.1 413 Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
      });
    };
    const { code } = await home.run([...CHECK, "--set", `description=${"x".repeat(250)}`]);
    onConnect = null;
    expect([5, 6]).toContain(code);
    expect(service.connections()).toBe(1);
  });

  test("an error body of any shape is no fault of ours", async () => {
    for (const fields of [
      [{ path: { toString: 1, valueOf: 1 }, message: [] }],
      [null, 7, "x", []],
      {},
      "x",
    ]) {
      service.play(answer(400, JSON.stringify({ status: "error", error: ["x"], message: {}, fields })));
      expect((await home.run(CHECK)).code).toBe(5);
    }
  });
});

describe("as a process", () => {
  let outside: TestHome;
  beforeAll(async () => {
    outside = testHome();
    await pointAt(
      {
        run: async (args, input = "") => {
          const { code, stdout, stderr } = await outside.run(args, { input });
          return { code: code ?? -1, stdout, stderr };
        },
      },
      service.url,
    );
  });
  afterAll(() => outside.remove());

  test.each<[string, Behaviour, number]>([
    ["pass", answer(200, PASS), 0],
    ["block", answer(200, PASS.replace('"pass"', '"block"')), 10],
    ["3ds_or_block", answer(200, PASS.replace('"pass"', '"3ds_or_block"')), 11],
    ["a look-alike", answer(200, PASS.replace('"pass"', '"p\u0430ss"')), 7],
    ["a cut connection", cut, 6],
    ["a redirect", answer(307, PASS, { location: "/v1/check" }), 5],
  ])("%s", async (_, does, exit) => {
    service.play(does);
    const { code, stdout } = await outside.run(CHECK);
    expect(code).toBe(exit);
    expect(SAYS_PASS.test(stdout)).toBe(exit === 0);
    expect(service.requests).toHaveLength(1);
  });

  test("a switched-off check of certificates, or a proxy that cannot be read, sends nothing", async () => {
    service.play(answer(200, PASS));
    const off = await outside.run(CHECK, {
      env: { NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" },
    });
    expect(off.code).toBe(4);
    expect(off.stdout).toContain("NODE_TLS_REJECT_UNAUTHORIZED=0");
    expect(service.connections()).toBe(0);
  });
});
