// The example of several workers: its variables are read, it is open to this machine alone, and its server never forgets.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { COMMANDS } from "#src/cli/commands.ts";
import { variablesOf } from "#src/cli/command.ts";
import { PROBES } from "#src/contract/wire/wire.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const COMPOSE = "examples/workers/compose.yaml";

interface Service {
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly cap_drop: readonly string[];
  readonly environment?: Readonly<Record<string, unknown>>;
}

const { services, networks } = parse(read(COMPOSE), { merge: true }) as {
  readonly services: Readonly<Record<"valkey" | "one" | "two" | "balancer", Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
};

it.each([COMPOSE, "docs/how-to/run-several-workers.md"])(
  "%s names variables and probes that are there",
  (name) => {
    const known = variablesOf(COMMANDS);
    const named = read(name).match(/VERDICT_SERVE_[A-Z_]*[A-Z]/g) ?? [];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((each) => !known.has(each))).toEqual([]);
  },
);

it("is open to this machine alone, and its server to the workers alone", () => {
  const open = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => [name, port]),
  );
  expect(open).toEqual([["balancer", "127.0.0.1:8787:8787"]]);
  expect(services.valkey.networks).toEqual(["state"]);
  expect(networks["state"]?.internal).toBe(true);
  for (const { cap_drop: dropped } of Object.values(services)) expect(dropped).toEqual(["ALL"]);
});

it("its server writes down what it is told, and never forgets by itself", () => {
  const { command = [] } = services.valkey;
  const setting = (name: string): string | undefined => command[command.indexOf(`--${name}`) + 1];
  expect(["appendonly", "appendfsync", "maxmemory-policy"].map(setting)).toEqual([
    "yes",
    "everysec",
    "noeviction",
  ]);
});

it("both workers are the same, and the balancer asks whether they are ready", () => {
  expect(services.two).toEqual(services.one);
  const balancer = read("examples/workers/haproxy.cfg");
  expect(PROBES).toContain(/httpchk GET (\S+)/.exec(balancer)?.[1]);
  for (const name of ["one", "two"]) expect(balancer).toContain(`server ${name} ${name}:8787`);
});
