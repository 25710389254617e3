// The connection to a server of states: commands in, bytes out, and every failure a fault of one sentence, soon.

import { createClient, ErrorReply, RESP_TYPES } from "@redis/client";
import { Fault } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Script } from "./scripts.ts";
import type { Node, StateAddress } from "./state-address.ts";

export type Argument = string | Buffer;
export type Reply = null | number | Buffer | readonly Reply[];

/** All reject with a Fault `storage`, within COMMAND_MS when there is no answer: then the command may have been done. */
export interface Valkey {
  send(args: readonly Argument[]): Promise<Reply>;
  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<Reply>;
  /** Messages of a channel, also after a connection was lost; those in between are missed. */
  subscribe(channel: string, onMessage: (message: string) => void): Promise<void>;
  /** Called after each connection but the first. */
  onAgain(listener: () => void): void;
  /** Null while it can be written. */
  readonly problem: Fault | null;
  close(): void;
}

export interface ValkeyOptions {
  readonly address: StateAddress;
  /** Null for a server without one. */
  readonly password: Secret | null;
  /** Authorities that the server's certificate may come from, in PEM; those of Node by default. */
  readonly ca?: string | undefined;
}

type Client = ReturnType<typeof plainClient>;

/** A caller has 250 ms, and the rest of its call is in them. */
const COMMAND_MS: Milliseconds = 200;
const CONNECT_MS: Milliseconds = 1_000;
const AGAIN_MS: Milliseconds = 50;
const MOST_AGAIN_MS: Milliseconds = 1_000;
const PROBE_MS: Milliseconds = 250;
const PROBE = ["SET", "v:probe", "1", "PX", "1000"];
const BYTES = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer }, timeout: 0 } as const;

/** Why the server refuses, by the first word of its answer. */
const REFUSED: Readonly<Record<string, string>> = {
  LOADING: "is still loading its data; wait until it has",
  READONLY: "is a replica, which cannot be written; name the primary, or its Sentinels",
  MASTERDOWN: "has lost its primary; wait for the failover",
  OOM: "has no memory left; raise its maxmemory, or remove tenants",
  NOREPLICAS: "has fewer replicas than it must have to be written; bring them back",
  CLUSTERDOWN: "is a cluster that is down; name a server that is no cluster",
  MOVED: "is a cluster; name a server that is no cluster",
  MISCONF: "cannot write its own files; see its log",
  BUSY: "is busy with a script of someone else; wait, or end that",
  NOAUTH: "wants a password; name a file with it by --state-password-file",
  WRONGPASS: "refuses the user or the password; correct --state or --state-password-file",
  NOPERM: "does not allow the user what is needed; see the list of commands in the documentation",
};
/** Another server may have taken over. */
const MOVED_ON = new Set(["READONLY", "MASTERDOWN"]);

/** @throws Fault `storage` when there is no connection at first */
export async function connectValkey(options: ValkeyOptions): Promise<Valkey> {
  const { address } = options;
  const channels = new Map<string, (message: string) => void>();
  const listeners: (() => void)[] = [];
  let client: Client | null = null;
  let problem: Fault | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const faultOf = (reason: string, cause?: unknown): Fault =>
    new Fault("storage", `The server of ${address.text} ${reason}.`, { cause });

  function asFault(error: unknown): Fault {
    if (error instanceof Fault) return error;
    const word = refusalOf(error);
    if (word === null) return faultOf("does not answer; start it, or correct --state", error);
    return faultOf(REFUSED[word] ?? `refuses a command (${word}); see its log`, error);
  }

  /** The client is of no use any more. */
  function lose(lost: Client, fault: Fault): void {
    if (client !== lost) return;
    client = null;
    problem = fault;
    lost.destroy();
    connectAgain(0);
  }

  function connectAgain(tries: number): void {
    if (closed) return;
    const delay = Math.min(AGAIN_MS * 2 ** tries, MOST_AGAIN_MS) * (0.5 + Math.random() / 2);
    timer = setTimeout(() => void again(tries), delay);
  }

  async function again(tries: number): Promise<void> {
    try {
      await connect();
    } catch (error) {
      problem = asFault(error);
      connectAgain(tries + 1);
      return;
    }
    for (const listener of listeners) listener();
  }

  async function connect(): Promise<void> {
    const made = plainClient(options, await nodeOf(options));
    made.on("error", (error: unknown) => lose(made, asFault(error)));
    try {
      await made.connect();
      for (const [channel, onMessage] of channels) await made.subscribe(channel, onMessage);
      await within(made, PROBE);
    } catch (error) {
      made.destroy();
      throw error;
    }
    if (closed) return made.destroy();
    client = made;
    problem = null;
  }

  async function within(used: Client, args: readonly Argument[]): Promise<Reply> {
    let deadline: NodeJS.Timeout | NodeJS.Immediate | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = (): void => {
        const fault = faultOf("does not answer in time; see whether it is overloaded, or the network is");
        reject(fault);
        lose(used, fault);
      };
      // What has come while this process was busy is read first.
      deadline = setTimeout(() => (deadline = setImmediate(giveUp)), COMMAND_MS);
    });
    try {
      return await Promise.race([used.sendCommand<Reply>(args, BYTES), late]);
    } finally {
      clearTimeout(deadline as NodeJS.Timeout);
      clearImmediate(deadline as NodeJS.Immediate);
    }
  }

  /** A server that refuses is asked again until it does not: nobody else may ask it while this process is not ready. */
  function probe(refusing: Client): void {
    timer = setTimeout(() => void probeOnce(refusing), PROBE_MS);
  }

  async function probeOnce(refusing: Client): Promise<void> {
    if (client !== refusing) return;
    try {
      await within(refusing, PROBE);
      problem = null;
    } catch {
      probe(refusing);
    }
  }

  async function send(args: readonly Argument[]): Promise<Reply> {
    const used = client;
    if (used === null) throw problem ?? faultOf("is closed");
    try {
      return await within(used, args);
    } catch (error) {
      const word = refusalOf(error);
      if (word === "NOSCRIPT") throw error;
      const fault = asFault(error);
      if (word !== null && MOVED_ON.has(word)) lose(used, fault);
      else if (client === used && problem === null) {
        problem = fault;
        probe(used);
      }
      throw fault;
    }
  }

  try {
    await connect();
  } catch (error) {
    throw asFault(error);
  }
  return {
    send,
    async run({ text, sha1 }, keys, args) {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await send(["EVALSHA", sha1, ...rest]);
      } catch (error) {
        if (error instanceof Fault) throw error;
        return send(["EVAL", text, ...rest]);
      }
    },
    async subscribe(channel, onMessage) {
      channels.set(channel, onMessage);
      await client?.subscribe(channel, onMessage);
    },
    onAgain: (listener) => void listeners.push(listener),
    get problem() {
      return problem;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      client?.destroy();
      client = null;
    },
  };
}

/** First word of the server's refusal; null for another error. */
function refusalOf(error: unknown): string | null {
  return error instanceof ErrorReply ? (/^[A-Z]+/.exec(error.message)?.[0] ?? "ERR") : null;
}

/** Reconnecting is done here, because Sentinels are asked anew each time. */
function plainClient({ address, password, ca }: ValkeyOptions, node: Node | string) {
  const common = { connectTimeout: CONNECT_MS, reconnectStrategy: false } as const;
  const secure = { tls: true, ...(ca === undefined ? {} : { ca }) } as const;
  return createClient({
    RESP: 3,
    database: address.database,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: "disabled",
    ...(address.user === null ? {} : { username: address.user }),
    ...(password === null ? {} : { password: password.expose() }),
    socket:
      typeof node === "string"
        ? { ...common, path: node }
        : { ...common, ...node, ...(address.tls ? { ...secure, servername: node.host } : {}) },
  });
}

/** The server, by the first Sentinel that knows it. */
async function nodeOf(options: ValkeyOptions): Promise<Node | string> {
  const { address } = options;
  if (typeof address.nodes === "string") return address.nodes;
  if (address.sentinel === null) return address.nodes[0]!;
  let failure: unknown;
  for (const node of address.nodes) {
    const sentinel = plainClient(
      { ...options, address: { ...address, user: null, database: 0 }, password: null },
      node,
    );
    sentinel.on("error", () => undefined);
    try {
      await sentinel.connect();
      const found = await sentinel.sendCommand<[string, string] | null>(
        ["SENTINEL", "get-master-addr-by-name", address.sentinel],
        { timeout: CONNECT_MS },
      );
      if (found !== null) return { host: found[0], port: Number(found[1]) };
    } catch (error) {
      failure = error;
    } finally {
      sentinel.destroy();
    }
  }
  throw failure ?? new Fault("storage", `No Sentinel of ${address.text} knows that name; correct --state.`);
}
