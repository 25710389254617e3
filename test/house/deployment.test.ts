// The files that run the service elsewhere: what they set and ask for is there, and they keep to what hadolint asks of an image.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { VARIABLES } from "#src/app/home.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { variablesOf } from "#src/cli/command.ts";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { PROBES } from "#src/contract/wire/wire.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), "utf8");

const FILES = [
  "Containerfile",
  "compose.yaml",
  "examples/serve/verdict.service",
  "examples/serve/prometheus.yml",
  "docs/how-to/operate-a-sandbox.md",
];

it.each(FILES)("%s sets variables that are read, and names probes and pages that are there", (name) => {
  const text = read(name);
  const known = new Set([...VARIABLES, ...variablesOf(COMMANDS).keys()]);
  const named = text.match(/VERDICT_[A-Z_]*[A-Z]/g) ?? [];
  expect(named.filter((each) => !known.has(each))).toEqual([]);
  const paths = text.match(/(?<=:87\d\d|metrics_path: )\/[a-z]+/g) ?? [];
  expect(paths.filter((path) => ![...PROBES, ADMIN.metrics, "/docs"].includes(path))).toEqual([]);
});

it("the image has a pinned base, files by COPY, commands without a shell, and no root", () => {
  const lines = read("Containerfile")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const of = (word: string): string[] => lines.filter((line) => line.startsWith(`${word} `));
  expect(of("FROM").every((line) => /:\d[\w.-]*$/.test(line))).toBe(true);
  expect(of("ADD")).toEqual([]);
  for (const line of [...of("ENTRYPOINT"), ...of("CMD")]) expect(line).toMatch(/^\w+ \[.*\]$/);
  expect(of("USER").at(-1)).toBe("USER node");
  const after = lines.slice(lines.indexOf("USER node"));
  expect(after.filter((line) => line.startsWith("RUN "))).toEqual([]);
});

interface Service {
  readonly environment: Readonly<Record<string, unknown>>;
  readonly ports: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
}

it("the composition publishes on this machine alone, without root, and asks for health as the image does", () => {
  const { services } = parse(read("compose.yaml")) as {
    services: { verdict: Service & Record<string, unknown> };
  };
  const { verdict } = services;
  expect(verdict).toMatchObject({
    user: "node",
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
  });
  expect(verdict.ports.every((port) => port.startsWith("127.0.0.1:"))).toBe(true);
  // A number would be written in another way by another reader of YAML.
  expect(Object.values(verdict.environment).every((value) => typeof value === "string")).toBe(true);
  const [, ...words] = verdict.healthcheck.test;
  expect(read("Containerfile")).toContain(JSON.stringify(words).replaceAll('","', '", "'));
});
