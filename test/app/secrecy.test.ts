// What could carry secrets out of the process is named, and what is named gives nothing away itself.

import { describe, expect, it } from "vitest";
import { secrecyFindings, type ProcessFacts } from "#src/app/secrecy.ts";

const LIMITS = (soft: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax core file size        ${soft}                    unlimited            bytes     \n`;

const QUIET: ProcessFacts = {
  env: {},
  nodeOptions: [],
  limits: LIMITS("0"),
  coreFilter: "00000033\n",
  corePattern: "core\n",
  swaps: "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n",
};

const states = (change: Partial<ProcessFacts>): string[] =>
  secrecyFindings({ ...QUIET, ...change }).map(({ state }) => state);
const words = (change: Partial<ProcessFacts>): string =>
  secrecyFindings({ ...QUIET, ...change })
    .flatMap(({ state, what, next }) => [state, what, next ?? ""])
    .join(" ");

describe("the secrecy of a process", () => {
  it("is sound where nothing is switched on", () => {
    expect(states({})).toEqual(["ok", "ok", "ok"]);
  });

  it.each([
    ["a limit above zero", { limits: LIMITS("unlimited") }],
    ["a program that takes dumps whatever the limit", { corePattern: "|/usr/share/apport/apport %p" }],
  ])("is in danger by core dumps: %s", (_, change) => {
    expect(states(change)).toContain("problem");
    // No mapping is written into them.
    expect(states({ ...change, coreFilter: "00000000\n" })).not.toContain("problem");
  });

  it("is not told where there is no /proc", () => {
    expect(states({ limits: null, swaps: null, coreFilter: null, corePattern: null })).toEqual([
      "note",
      "note",
      "ok",
    ]);
  });

  it("may be lost to a swap device, but not to compressed memory", () => {
    const swaps = (device: string): string =>
      `Filename Type Size Used Priority\n${device} partition 1 0 -2\n`;
    expect(words({ swaps: swaps("/dev/sda2") })).toMatch(/note Memory may be swapped to \/dev\/sda2/);
    expect(states({ swaps: swaps("/dev/zram0") })).toEqual(["ok", "ok", "ok"]);
  });

  it.each([
    ["--inspect", "problem"],
    ["--inspect-brk=0.0.0.0:9229", "problem"],
    ["--heapsnapshot-signal=SIGUSR2", "problem"],
    ["--tls-keylog=/tmp/keys", "problem"],
    ["--tls-min-v1.0", "note"],
    ["--tls-cipher-list=DEFAULT@SECLEVEL=0", "note"],
    ["--report-on-signal", "note"],
    ["--require=/home/me/hook.js", "note"],
    ["--max-old-space-size=4096", "ok"],
  ])("%s in NODE_OPTIONS or behind node is %s", (option, state) => {
    expect(states({ env: { NODE_OPTIONS: `--no-warnings ${option}` } })).toEqual(["ok", "ok", state]);
    expect(states({ nodeOptions: [option] })).toEqual(["ok", "ok", state]);
  });

  it("tells of a debug switch, of unchecked certificates, and of logs of keys", () => {
    expect(words({ env: { NODE_DEBUG: "http" } })).toMatch(/problem NODE_DEBUG/);
    expect(words({ env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } })).toMatch(/problem NODE_TLS_REJECT/);
    expect(words({ env: { SSLKEYLOGFILE: "/tmp/k" } })).toMatch(/note SSLKEYLOGFILE/);
    expect(words({ env: { NODE_EXTRA_CA_CERTS: "/etc/ca" } })).toMatch(/note NODE_EXTRA_CA_CERTS/);
  });

  it.each([
    "http://user:hunter2-canary@proxy.example:3128",
    "user:hunter2-canary@proxy.example:3128",
    "http://user:hunter2-canary@",
    "http://user:hunter2-canary@%zz",
  ])("names a proxy and never its user or password: %s", (proxy) => {
    const said = words({ env: { HTTPS_PROXY: proxy } });
    expect(said).toMatch(/proxy/i);
    expect(said).not.toContain("hunter2");
    expect(said).not.toContain("user:");
  });
});
