// Where a payload comes from: a file, standard input of any kind, or --set. What is piped in is used or refused, never ignored.

import { createReadStream, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WAITING } from "#src/cli/replay/named-payload.ts";
import {
  answer,
  PASS,
  startHostileService,
  type Behaviour,
  type HostileService,
} from "../client/hostile-service.ts";
import { homeOfTests, pointAt } from "./in-process.ts";

const payload = (description: string): string =>
  JSON.stringify({ operation: "payment", order_id: "o-1", amount: 100, currency: 978, description });

const home = homeOfTests();
let service: HostileService;
let failed: string;
const asTold: Behaviour = (socket, request) =>
  answer(request.body.includes('"failed"') ? 500 : 200, PASS)(socket, request);

beforeAll(async () => {
  service = await startHostileService([asTold]);
  await pointAt(home, service.url);
  writeFileSync(join(home.folder, "file.json"), payload("file"));
  writeFileSync(join(home.folder, "stdin.json"), payload("stdin"));
  writeFileSync(join(home.folder, "empty.json"), "");
  await home.run("check - --json", payload("failed"));
  [failed] = (await home.json("history --json")).map(({ id }) => String(id)) as [string];
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const opened = (path: string): Readable => createReadStream("", { fd: openSync(path, "r") });
/** What it holds: a payload, nothing by chance (there may be no sender), nothing although it was named, something else. */
const INPUTS: Readonly<Record<string, readonly [holds: string, () => Readable]>> = {
  "a pipe": ["payload", () => Readable.from([Buffer.from(payload("stdin"))])],
  "a slow pipe": [
    "payload",
    () =>
      Readable.from(
        [payload("stdin").slice(0, 9), payload("stdin").slice(9)].map((each) => Buffer.from(each)),
      ),
  ],
  "a file": ["payload", () => opened(join(home.folder, "stdin.json"))],
  "an empty file": ["named nothing", () => opened(join(home.folder, "empty.json"))],
  "an empty pipe": ["nothing", () => Readable.from([])],
  // Node opens it in place of a closed one.
  "/dev/null": ["nothing", () => opened("/dev/null")],
  "a pipe with lines": ["other", () => Readable.from([Buffer.from("order-1\norder-2\n")])],
  "a pipe with a blank line": ["other", () => Readable.from([Buffer.from("\n")])],
  "a terminal": ["terminal", () => Object.assign(new PassThrough(), { isTTY: true }).end()],
};

/** Description and terminal of what was sent, signed, saved or shown: where it comes from, and whether --set changed it. */
type Used = readonly [description: unknown, terminal: unknown];

const used = (request: unknown): Used => {
  const { description, terminal_id } = request as Record<string, unknown>;
  return [description, terminal_id];
};

const COMMANDS: Readonly<
  Record<string, { words: string; takes: string; read: (stdout: string) => Promise<Used> | Used }>
> = {
  check: {
    words: "check --dry-run --json",
    takes: "set again",
    read: (stdout) => used((JSON.parse(stdout) as { request: unknown }).request),
  },
  sign: {
    words: "sign --json --project shop/low",
    takes: "set",
    read: (stdout) => used(JSON.parse((JSON.parse(stdout) as { body: string }).body)),
  },
  sweep: {
    words: "sweep --field currency --list 978 --confirm test --json",
    takes: "set",
    read: () => used(JSON.parse(service.requests.at(-1)!.body)),
  },
  "payload save": {
    words: "payload save kept --yes --json",
    takes: "",
    read: async () => used((await home.json("payload show kept --json"))[0]!["request"]),
  },
};

/** Undefined for a refusal. */
function expected(source: string, sets: boolean, again: boolean, holds: string): Used | undefined {
  const set = sets ? "set" : undefined;
  if (again) return source === "" && !sets ? ["failed", undefined] : undefined;
  if (source === "file") return ["file", set];
  if (holds === "payload") return ["stdin", set];
  if (source === "" && sets && (holds === "nothing" || holds === "terminal")) return [undefined, set];
  return undefined;
}

describe.each(Object.keys(COMMANDS))("%s", (name) => {
  const { words, takes, read } = COMMANDS[name]!;
  it.each(Object.keys(INPUTS))("with %s on standard input", async (kind) => {
    const [holds, stdin] = INPUTS[kind]!;
    for (const source of ["file", "-", ""])
      for (const sets of takes.includes("set") ? [false, true] : [false])
        for (const again of takes.includes("again") ? [false, true] : [false])
          for (const input of kind === "a terminal" ? [false, true] : [false]) {
            service.play(asTold);
            const place = source === "file" ? join(home.folder, "file.json") : source;
            const line = [
              ...words.split(" "),
              ...(place === "" ? [] : [place]),
              ...(sets ? ["--set", "terminal_id=set"] : []),
              ...(again ? ["--again", failed] : []),
              ...(input ? ["--no-input"] : []),
            ];
            const { code, stdout, stderr } = await home.runFrom(stdin(), line);
            const want = expected(source, sets, again, holds);
            const where = `${line.join(" ")}: ${stdout}${stderr}`;
            expect(code, where).toBe(want === undefined ? 2 : 0);
            if (want !== undefined) expect(await read(stdout), where).toEqual(want);
            else expect(service.requests, where).toEqual([]);
            if (want === undefined) expect(stderr.trimEnd().split("\n"), where).toHaveLength(1);
          }
  });
});

it("says why it waits for an open pipe, and uses what comes then", async () => {
  const stdin = new PassThrough();
  const { code, stdout } = await home.runFrom(
    stdin,
    "check --dry-run --json --set terminal_id=set",
    ({ stderr }) => {
      if (stderr.includes(WAITING)) stdin.end(payload("stdin"));
    },
  );
  expect(code).toBe(0);
  expect(used((JSON.parse(stdout) as { request: unknown }).request)).toEqual(["stdin", "set"]);
});

it("--secret-stdin is refused where no secret is read", async () => {
  const { code, stderr } = await home.run("sign --secret-stdin --set order_id=o", payload("stdin"));
  expect([code, stderr]).toEqual([2, expect.stringContaining("--test-key")]);
});

it("replay names its sources, and takes no silence for one", async () => {
  const file = join(home.folder, "file.json");
  for (const [words, code, shown] of [
    [`replay ${file} --dry-run`, 0, "1 check would be sent"],
    ["replay - --dry-run", 0, "1 check would be sent"],
    ["replay --dry-run", 2, "or - for standard input"],
  ] as const) {
    const ran = await home.run(words, payload("stdin"));
    expect([ran.code, ran.stdout + ran.stderr], words).toEqual([code, expect.stringContaining(shown)]);
  }
});
