// The connection to a server of states: commands in, bytes out, and every failure a fault of one sentence, soon.

import { isIP } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { createClient, ErrorReply, RESP_TYPES } from "@redis/client";
import { Fault, storage, whole } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { Patience } from "#src/sandbox/state/patience.ts";
import { listOf, requireReply, textOf, type Reply } from "./replies.ts";
import type { Script } from "./scripts.ts";
import type { Node, StateAddress } from "./state-address.ts";

export type Argument = string | Buffer;

export interface ValkeyOptions {
  readonly address: StateAddress;
  /** Null for a server without one. */
  readonly password: Secret | null;
  /** Authorities that the server's certificate may come from, in PEM; those of Node by default. */
  readonly ca?: string | undefined;
  /** How long a server may be silent; 200 ms by default, because a caller has 250 ms. */
  readonly silentMs?: Milliseconds;
}

type Client = ReturnType<typeof plainClient>;

interface Line {
  readonly client: Client;
  ask(args: readonly Argument[]): Promise<Reply>;
}

const SILENT_MS: Milliseconds = 200;
/** In that time; see `watched`. */
const LOOKS = 8;
const CONNECT_MS: Milliseconds = 1_000;
const AGAIN_MS: Milliseconds = 50;
const MOST_AGAIN_MS: Milliseconds = 1_000;
const PROBE_MS: Milliseconds = 250;
const SCANNED = "1000";
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
  const connection = new Valkey(options);
  await connection.open();
  return connection;
}

/** All reject with a Fault `storage`, soon when the server is silent: then the command may have been done. */
export class Valkey {
  readonly #options: ValkeyOptions;
  readonly #silentMs: Milliseconds;
  readonly #channels = new Map<string, (message: string) => void>();
  readonly #listeners: (() => void)[] = [];
  readonly #ended = new AbortController();
  #line: Line | null = null;
  #problem: Fault | null = null;

  constructor(options: ValkeyOptions) {
    this.#options = options;
    this.#silentMs = options.silentMs ?? SILENT_MS;
  }

  async open(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      throw this.#asFault(error);
    }
  }

  async send(args: readonly Argument[]): Promise<Reply> {
    const used = this.#line;
    if (used === null) throw this.#problem ?? this.#faultOf("is closed");
    try {
      return await used.ask(args);
    } catch (error) {
      const word = refusalOf(error);
      if (word === "NOSCRIPT") throw error;
      const fault = this.#asFault(error);
      if (word !== null && MOVED_ON.has(word)) this.#lose(used, fault);
      if (this.#line !== used) throw this.#problem ?? fault;
      if (this.#problem === null) {
        this.#problem = fault;
        void this.#probe(used);
      }
      throw fault;
    }
  }

  async run({ text, sha1 }: Script, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await this.send(["EVALSHA", sha1, ...rest]);
    } catch (error) {
      if (error instanceof Fault) throw error;
      return this.send(["EVAL", text, ...rest]);
    }
  }

  /** Messages of a channel, also after a connection was lost; those in between are missed. */
  async subscribe(channel: string, onMessage: (message: string) => void): Promise<void> {
    this.#channels.set(channel, onMessage);
    await this.#line?.client.subscribe(channel, onMessage);
  }

  /** Called after each connection but the first. */
  onAgain(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Null while it can be written. */
  get problem(): Fault | null {
    return this.#problem;
  }

  close(): void {
    this.#ended.abort();
    this.#line?.client.destroy();
    this.#line = null;
  }

  #pause(ms: Milliseconds): Promise<void> {
    return wait(ms, undefined, { signal: this.#ended.signal });
  }

  #faultOf(reason: string, cause?: unknown): Fault {
    return storage`The server of ${this.#options.address.text} ${whole(reason)}.`.causedBy(cause);
  }

  #asFault(error: unknown): Fault {
    if (error instanceof Fault) return error;
    const word = refusalOf(error);
    if (word === null) return this.#faultOf(unreachable(error), error);
    return this.#faultOf(REFUSED[word] ?? `refuses a command (${word}); see its log`, error);
  }

  #lose(lost: Line, fault: Fault): void {
    if (this.#line === lost) {
      this.#line = null;
      this.#problem = fault;
      this.#connectAgain().catch(() => undefined);
    }
    lost.client.destroy();
  }

  /** Rejects when this end is closed. */
  async #connectAgain(): Promise<void> {
    for (let ms = AGAIN_MS; ; ms = Math.min(2 * ms, MOST_AGAIN_MS)) {
      await this.#pause(ms * (0.5 + Math.random() / 2));
      try {
        await this.#connect();
        break;
      } catch (error) {
        this.#problem = this.#asFault(error);
      }
    }
    for (const listener of this.#listeners) listener();
  }

  async #connect(): Promise<void> {
    const client = plainClient(this.#options, await nodeOf(this.#options));
    const silent = this.#faultOf("does not answer in time; see whether it is overloaded, or the network is");
    const made = { client, ask: watched(client, this.#silentMs, () => this.#lose(made, silent)) };
    client.on("error", (error: unknown) => this.#lose(made, this.#asFault(error)));
    const greet = async (): Promise<void> => {
      await client.connect();
      for (const [channel, onMessage] of this.#channels) await client.subscribe(channel, onMessage);
      await made.ask(PROBE);
    };
    try {
      await inTime(greet(), silent);
      this.#ended.signal.throwIfAborted();
    } catch (error) {
      client.destroy();
      throw error;
    }
    this.#line = made;
    this.#problem = null;
  }

  /** A server that refuses is asked again until it does not: nobody else may ask it while this process is not ready. */
  async #probe(refusing: Line): Promise<void> {
    try {
      await this.#pause(PROBE_MS);
      if (this.#line !== refusing) return;
      await refusing.ask(PROBE);
      this.#problem = null;
    } catch {
      if (!this.#ended.signal.aborted) void this.#probe(refusing);
    }
  }
}

/**
 * Goes through what SCAN or HSCAN finds, a part at a time.
 * @param before words of the command before its cursor. @param after those after it
 */
export async function scan(
  valkey: Pick<Valkey, "send">,
  before: readonly string[],
  after: readonly string[],
  onFound: (found: readonly string[]) => Promise<unknown>,
): Promise<void> {
  let cursor = "0";
  do {
    const [next, part] = listOf(await valkey.send([...before, cursor, ...after, "COUNT", SCANNED]));
    cursor = textOf(next);
    const found = listOf(part).map(textOf);
    if (found.length > 0) await onFound(found);
  } while (cursor !== "0");
}

/**
 * Sends commands, and calls when the server has said nothing for a time. One timer for all: a server that answers is not
 * silent, however many wait for it. The time is counted in looks: while this process is held up, by others that have the
 * processor or by its own garbage, it does not look, and the server cannot answer commands that are not written yet.
 */
function watched(client: Client, silentMs: Milliseconds, onSilent: () => void): Line["ask"] {
  let waiting = 0;
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    looks += 1;
    if (waiting > 0 && looks >= LOOKS) onSilent();
  }

  return async (args) => {
    if (waiting === 0) {
      looks = 0;
      // What has come while this process was busy is read first.
      timer = setInterval(() => setImmediate(look), silentMs / LOOKS);
    }
    waiting += 1;
    try {
      return requireReply(await client.sendCommand(args, BYTES));
    } finally {
      looks = 0;
      waiting -= 1;
      if (waiting === 0) clearInterval(timer);
    }
  };
}

/** Codes of OpenSSL for a certificate that is not trusted, and Node's for that of another name. */
const UNTRUSTED = /CERT|SIGNATURE|ALTNAME/;

function unreachable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!UNTRUSTED.test(code)) return "does not answer; start it, or correct --state";
  return `has a certificate that is not trusted (${code}); name its authority with --state-ca`;
}

/** The client's own limits are not for a greeting, nor for a command that was written: without this one a silent server is waited for. */
function inTime<T>(work: Promise<T>, late: Fault): Promise<T> {
  return new Patience(CONNECT_MS, late).wait(work);
}

/** First word of the server's refusal; null for another error. */
function refusalOf(error: unknown): string | null {
  return error instanceof ErrorReply ? (/^[A-Z]+/.exec(error.message)?.[0] ?? "ERR") : null;
}

/** Reconnecting is done here, because Sentinels are asked anew each time. */
function plainClient({ address, password, ca }: ValkeyOptions, node: Node | string) {
  const common = { connectTimeout: CONNECT_MS, reconnectStrategy: false } as const;
  // By RFC 6066 an address is no name of a server.
  const named = typeof node !== "string" && isIP(node.host) === 0 ? { servername: node.host } : {};
  // Said, so that NODE_TLS_REJECT_UNAUTHORIZED=0 does not open it.
  const trust = { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) };
  const secure = { tls: true, ...named, ...trust } as const;
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
        : { ...common, ...node, ...(address.tls ? secure : {}) },
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
    const { sentinel: name } = address;
    const ask = async (): Promise<[string, string] | null> => {
      await sentinel.connect();
      return await sentinel.sendCommand(["SENTINEL", "get-master-addr-by-name", name]);
    };
    try {
      const found = await inTime(ask(), storage`A Sentinel of ${address.text} does not answer in time.`);
      if (found !== null) return { host: found[0], port: Number(found[1]) };
    } catch (error) {
      failure = error;
    } finally {
      sentinel.destroy();
    }
  }
  throw failure ?? storage`No Sentinel of ${address.text} knows that name; correct --state.`;
}
