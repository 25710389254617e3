// A network that swallows packets, between network namespaces: nothing is closed, nothing is refused, nothing arrives.

import { execFileSync } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { nothingMet, oneCard, post, signedCheck, untilAnswered } from "./callers.ts";
import { isWithoutServer } from "./server.ts";
import { startTeam } from "./team.ts";

const REFUSAL_MS = 250;

function ip(...words: readonly string[]): void {
  execFileSync("ip", words, { stdio: ["ignore", "ignore", "pipe"] });
}

interface Link {
  readonly namespace: string;
  /** Of the server, on the other side. */
  readonly address: string;
  /** Name of the end on this side. */
  readonly device: string;
  readonly remove: () => void;
}

let links = 0;

/** A namespace for the server, and a link to it. The kernel takes its time to remove one, so that each has its own name. */
function makeLink(): Link {
  links += 1;
  const name = `vt${process.pid}${"abcdef"[links]}`;
  const [here, there] = [`${name}a`, `${name}b`];
  // 198.18.0.0/15 is for tests of networks (RFC 2544).
  const net = `198.${18 + (links & 1)}.${process.pid & 255}`;
  const remove = (): void => ip("netns", "del", name);
  ip("netns", "add", name);
  try {
    ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name);
    ip("addr", "add", `${net}.1/30`, "dev", here);
    ip("link", "set", here, "up");
    ip("-n", name, "addr", "add", `${net}.2/30`, "dev", there);
    ip("-n", name, "link", "set", there, "up");
  } catch (error) {
    remove();
    throw error;
  }
  return { namespace: name, address: `${net}.2`, device: here, remove };
}

/** Null, with a line that says why, where links may not be made. */
function tryLink(): Link | null {
  try {
    return makeLink();
  } catch (error) {
    process.stdout.write(`Skipped: no network namespaces here (${String(error).split("\n")[0]!})\n`);
    return null;
  }
}

describe.skipIf(isWithoutServer())("a network", () => {
  it("that swallows packets is a refusal within 250 ms, and answers again when it is whole", async ({
    skip,
  }) => {
    const link = tryLink();
    if (link === null) return skip();
    onTestFinished(link.remove);
    const { namespace, address } = link;
    const team = await startTeam({
      workers: 2,
      server: ["--bind", address, "--protected-mode", "no"],
      within: ["ip", "netns", "exec", namespace],
      stateOf: (_place, { port }) => `valkey://${address}:${port}`,
    });
    const met = nothingMet();
    const slowest: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (const port of team.ports()) {
        const check = oneCard(`order-${round}-${port}`);
        expect((await untilAnswered(() => [port], team.project, check, met))!.reply.status).toBe(200);
      }
      ip("-n", namespace, "link", "set", `${namespace}b`, "down");
      const swallowed = team
        .ports()
        .flatMap((port) =>
          Array.from({ length: 8 }, (_, number) =>
            post(port, signedCheck(port, team.project, oneCard(`lost-${round}-${port}-${number}`))),
          ),
        );
      const replies = await Promise.all(swallowed);
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
      slowest.push(Math.max(...replies.map(({ ms }) => ms)));
      ip("-n", namespace, "link", "set", `${namespace}b`, "up");
    }
    // Of the best round: a machine with other work may wake a worker late.
    expect(Math.min(...slowest)).toBeLessThan(REFUSAL_MS);
  });

  it("with 2 ms and a hundredth of the packets lost answers, and only with answers", async ({ skip }) => {
    const link = tryLink();
    if (link === null) return skip();
    onTestFinished(link.remove);
    const { namespace, address, device } = link;
    try {
      execFileSync("tc", ["qdisc", "add", "dev", device, "root", "netem", "delay", "2ms", "loss", "1%"]);
    } catch {
      process.stdout.write("Skipped: this kernel has no netem\n");
      return skip();
    }
    const team = await startTeam({
      workers: 2,
      server: ["--bind", address, "--protected-mode", "no"],
      within: ["ip", "netns", "exec", namespace],
      stateOf: (_place, { port }) => `valkey://${address}:${port}`,
    });
    const met = nothingMet();
    const client = async (number: number): Promise<void> => {
      for (let turn = 0; turn < 100; turn += 1) {
        await untilAnswered(team.ports, team.project, oneCard(`order-${number}-${turn}`), met, {
          first: number,
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, number) => client(number)));
    expect((await team.workers[0]!.status()).decisions).toBe(800);
    expect([200, 500, 503]).toEqual(expect.arrayContaining([...met.statuses.keys()]));
  });
});
