// The address of a server of states, as `--state` takes it.

import { Fault, usage } from "#src/contract/fault.ts";

export interface Node {
  readonly host: string;
  readonly port: number;
}

export interface StateAddress {
  /** The server, or a path of its Unix socket; with `sentinel`, those to ask for it. */
  readonly nodes: readonly Node[] | string;
  /** Name by which Sentinels know the server; null without them. */
  readonly sentinel: string | null;
  readonly tls: boolean;
  /** Null for the server's default user. */
  readonly user: string | null;
  readonly database: number;
  /** As it was written. */
  readonly text: string;
}

/** A Valkey or Redis server. */
export interface StateServer {
  /** As `--state` has it. */
  readonly address: string;
  /** The key that seals secrets, the same for all workers; in a private file. */
  readonly keyFile: string;
  /** Private file with the password of the address's user. */
  readonly passwordFile?: string;
  /** Authorities of the server's certificate, in PEM; those of Node when absent. */
  readonly caFile?: string;
  /** True: the state directory is removed at the end, and those beside it whose workers were killed. */
  readonly leaveNothing: boolean;
}

const USER = "(?:(?<user>[^@/]*)@)?";
const SERVER = new RegExp(
  `^(?<scheme>valkeys?|rediss?)://${USER}(?<node>[^@/,]+)(?:/(?<database>\\d{0,5}))?$`,
);
const SENTINELS = new RegExp(
  `^(?<scheme>valkeys?|rediss?)\\+sentinel://${USER}(?<nodes>[^@/]+)/(?<name>[^/]+)(?:/(?<database>\\d{0,5}))?$`,
);
const SOCKET = new RegExp(`^unix:(?://${USER})?(?<path>/[^?]+)(?:\\?db=(?<database>\\d{1,5}))?$`);
const NODE = /^(?<host>\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(?<port>\d{1,5}))?$/;
const SERVER_PORT = 6379;
const SENTINEL_PORT = 26_379;

/**
 * Reads `valkey://user@host:port/database`, its other schemes and forms (`redis` is the same as `valkey`).
 * @throws Fault `usage`
 */
export function readStateAddress(text: string): StateAddress {
  const found = [SERVER, SENTINELS, SOCKET]
    .map((form) => form.exec(text)?.groups)
    .find((form) => form !== undefined);
  // Without the text, which may hold a password where none is understood.
  if (found === undefined) throw wrongAddress();
  const { scheme, user, node, nodes, name, path, database } = found;
  return {
    nodes: path ??
      nodes?.split(",").map((each) => readNode(each, SENTINEL_PORT)) ?? [readNode(node!, SERVER_PORT)],
    sentinel: name === undefined ? null : decoded(name),
    // `redis` ends with an s, too.
    tls: scheme === "valkeys" || scheme === "rediss",
    user: userOf(user),
    database: Number(database ?? 0),
    text,
  };
}

function userOf(written: string | undefined): string | null {
  const user = written === undefined ? "" : decoded(written);
  if (user.includes(":")) {
    throw usage`The address of --state holds a password, which other users of this machine can read; write it to a file and name that with --state-password-file.`;
  }
  return user === "" ? null : user;
}

/** @throws Fault `usage` */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrongAddress();
  }
}

function readNode(text: string, standard: number): Node {
  const { host, port } = NODE.exec(text)?.groups ?? {};
  const number = Number(port ?? standard);
  if (host === undefined || number < 1 || number > 65_535) throw wrongAddress();
  return { host: host.replaceAll(/[[\]]/g, ""), port: number };
}

function wrongAddress(): Fault {
  return usage`The address of --state is not understood; write valkey://HOST:PORT, valkeys://HOST:PORT for TLS, unix:/PATH, or valkey+sentinel://HOST:PORT,HOST:PORT/NAME.`;
}
