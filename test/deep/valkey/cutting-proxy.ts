// A TCP proxy in front of a server that speaks RESP: it cuts or holds a connection at a chosen byte or command.

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from "node:net";

/**
 * Where a connection is cut, counted from when the cut is ordered.
 * - `before`: the nth command that matches does not reach the server
 * - `after`: the server carries it out, and its reply does not reach the client
 * - `falsify`: the nth command is carried out, and `reply` comes in place of its reply; nothing is cut
 * - `toServer`, `toClient`: after so many bytes in that direction, on whichever connection they pass
 */
export type CutPoint =
  | { readonly when: "before" | "after"; readonly command: RegExp; readonly nth: number }
  | { readonly when: "falsify"; readonly command: RegExp; readonly nth: number; readonly reply: string }
  | { readonly when: "toServer" | "toClient"; readonly bytes: number };

export interface CuttingProxy {
  readonly port: number;
  /**
   * Orders one cut.
   * @param hold keeps the connection open and silent in place of closing it, for a client that is killed there
   * @returns resolves when it has happened
   */
  cut(point: CutPoint, hold?: boolean): Promise<void>;
  /** Cuts what is open, and refuses connections until `restore`. */
  refuse(): void;
  /** Keeps connections open, and passes nothing on until `restore`. */
  silence(): void;
  restore(): void;
  /** From now on each piece of data is passed on so much later, in both directions; never sooner than before. */
  delay(ms: number): void;
  close(): Promise<void>;
}

/** @param delayMs see `delay` */
export async function startCuttingProxy(target: NetConnectOpts, delayMs = 0): Promise<CuttingProxy> {
  let delay = delayMs;
  let ordered: { point: CutPoint; hold: boolean; left: number; happened: () => void } | null = null;
  let state: "open" | "refusing" | "silent" = "open";
  const links = new Set<Link>();

  interface Link {
    readonly close: () => void;
    readonly flush: () => void;
  }

  function link(client: Socket): void {
    const server = connect(target);
    const toServer = { rest: Buffer.alloc(0), commands: 0 };
    const toClient = { rest: Buffer.alloc(0), replies: 0 };
    /** Number of the command on this connection whose reply is kept back. */
    let keptBack = -1;
    let over = false;

    function close(): void {
      over = true;
      links.delete(here);
      // What was passed on before still arrives.
      client.destroySoon();
      server.destroySoon();
    }

    /** Here it happens: nothing of this connection is passed on any more. */
    function cut(): void {
      const { hold, happened } = ordered!;
      ordered = null;
      over = true;
      if (!hold) close();
      happened();
    }

    function pass(to: Socket, direction: "toServer" | "toClient", bytes: Buffer): void {
      let passed = bytes;
      const here = ordered?.point.when === direction ? ordered : null;
      if (here !== null) {
        passed = bytes.subarray(0, here.left);
        here.left -= passed.length;
      }
      if (passed.length > 0) {
        if (delay === 0) to.write(passed);
        else setTimeout(() => to.write(passed), delay);
      }
      if (here?.left === 0) cut();
    }

    /** Where the next value ends that may be passed on; -1 where there is none. */
    function next(bytes: Buffer): number {
      return over || state === "silent" ? -1 : endOfValue(bytes, 0);
    }

    function forwardCommands(): void {
      for (let end = next(toServer.rest); end !== -1; end = next(toServer.rest)) {
        const command = toServer.rest.subarray(0, end);
        toServer.rest = toServer.rest.subarray(end);
        const point = ordered?.point;
        if (point !== undefined && "command" in point && keptBack === -1) {
          const matches = point.command.test(command.toString("latin1"));
          if (matches) ordered!.left -= 1;
          if (matches && ordered!.left === 0) {
            if (point.when === "before") return cut();
            keptBack = toServer.commands;
          }
        }
        toServer.commands += 1;
        pass(server, "toServer", command);
      }
    }

    function forwardReplies(): void {
      for (let end = next(toClient.rest); end !== -1; end = next(toClient.rest)) {
        const isPush = toClient.rest[0] === ">".charCodeAt(0);
        const isKept = !isPush && toClient.replies === keptBack;
        const point = ordered?.point;
        if (isKept && point?.when !== "falsify") return cut();
        let reply = toClient.rest.subarray(0, end);
        if (isKept && point?.when === "falsify") {
          reply = Buffer.from(point.reply);
          keptBack = -1;
          const { happened } = ordered!;
          ordered = null;
          happened();
        }
        toClient.rest = toClient.rest.subarray(end);
        if (!isPush) toClient.replies += 1;
        pass(client, "toClient", reply);
      }
    }

    const here: Link = {
      close,
      flush() {
        forwardCommands();
        forwardReplies();
      },
    };
    links.add(here);
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.on("data", (bytes: Buffer) => {
      toServer.rest = Buffer.concat([toServer.rest, bytes]);
      forwardCommands();
    });
    server.on("data", (bytes: Buffer) => {
      toClient.rest = Buffer.concat([toClient.rest, bytes]);
      forwardReplies();
    });
    for (const socket of [client, server]) socket.on("error", close).on("close", close);
  }

  const listener = createServer((client) => {
    if (state === "refusing") client.destroy();
    else link(client);
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");

  return {
    port: (listener.address() as AddressInfo).port,
    cut: (point, hold = false) =>
      new Promise((happened) => {
        ordered = { point, hold, left: "bytes" in point ? point.bytes : point.nth, happened };
      }),
    refuse() {
      state = "refusing";
      for (const each of links) each.close();
    },
    silence() {
      state = "silent";
    },
    restore() {
      state = "open";
      for (const each of links) each.flush();
    },
    delay(ms) {
      delay = ms;
    },
    async close() {
      for (const each of links) each.close();
      listener.close();
      await once(listener, "close");
    },
  };
}

/** Types whose value is as many bytes as their first line says. */
const BYTES = "$=!";
/** Types that hold as many values, or pairs of values. */
const VALUES = "*>~";
const PAIRS = "%|";

/** Where the RESP value that starts there ends; -1 while it is incomplete. */
export function endOfValue(bytes: Buffer, start: number): number {
  const line = bytes.indexOf("\r\n", start);
  if (line === -1) return -1;
  const type = String.fromCharCode(bytes[start]!);
  const count = Number(bytes.toString("latin1", start + 1, line));
  let end = line + 2;
  if (BYTES.includes(type)) {
    if (count >= 0) end += count + 2;
    return end <= bytes.length ? end : -1;
  }
  let values = VALUES.includes(type) ? count : PAIRS.includes(type) ? 2 * count : 0;
  // An attribute goes before the value that it belongs to.
  if (type === "|") values += 1;
  for (; values > 0; values -= 1) {
    end = endOfValue(bytes, end);
    if (end === -1) return -1;
  }
  return end;
}
