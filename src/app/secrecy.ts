// Guards against leaks outside the program's control (core dumps, swap, debugging switches), and findings about them.

import { readFileSync, writeFileSync } from "node:fs";
import { findingsOf, type Finding } from "#src/contract/finding.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";

/**
 * Keeps memory out of core dumps and the environment out of diagnostic reports. Call it before any secret is read; child
 * processes inherit the core dump filter. Never throws.
 */
export function guardProcess(): void {
  if (process.platform === "linux") {
    try {
      // core(5): no mapping is written, so a dump holds registers but no heap.
      writeFileSync("/proc/self/coredump_filter", "0");
    } catch {
      // No such file in this container; the doctor reports core dumps.
    }
  }
  const switches = `${process.env["NODE_OPTIONS"] ?? ""} ${process.execArgv.join(" ")}`;
  if (switches.includes("--report") && process.report !== undefined) process.report.excludeEnv = true;
}

/** Input of the findings; files of /proc are null where they do not exist. */
export interface ProcessFacts {
  readonly env: NodeJS.ProcessEnv;
  /** Node's own options of this process. */
  readonly nodeOptions: readonly string[];
  readonly limits: string | null;
  readonly coreFilter: string | null;
  readonly corePattern: string | null;
  readonly swaps: string | null;
}

export function readProcessFacts(env: NodeJS.ProcessEnv): ProcessFacts {
  return {
    env,
    nodeOptions: process.execArgv,
    limits: textOf("/proc/self/limits"),
    coreFilter: textOf("/proc/self/coredump_filter"),
    corePattern: textOf("/proc/sys/kernel/core_pattern"),
    swaps: textOf("/proc/swaps"),
  };
}

const finding = findingsOf("secrecy");

/** Findings about possible leaks of secrets from this process. Pure. */
export function secrecyFindings(facts: ProcessFacts): Finding[] {
  return [
    coreFinding(facts),
    swapFinding(facts.swaps),
    ...switchFindings(facts),
    ...networkFindings(facts.env),
  ];
}

function coreFinding({ limits, coreFilter, corePattern }: ProcessFacts): Finding {
  if (limits === null) return finding("note", "Whether core dumps are written here is unknown.");
  const [, soft = "0"] = /^Max core file size\s+(\S+)/m.exec(limits) ?? [];
  // core(5): a program that receives dumps is not subject to the limit.
  const piped = corePattern?.startsWith("|") === true;
  if (soft === "0" && !piped) return finding("ok", "Core dumps are off.");
  if (coreFilter !== null && /^0+$/.test(coreFilter.trim())) {
    return finding("ok", "Core dumps are on; a core dump of verdict does not contain its memory.");
  }
  return finding(
    "problem",
    `Core dumps are on${piped ? " and go to a program" : ""}: after a crash, a core dump can contain secrets.`,
    'Switch them off for this shell with "ulimit -c 0".',
  );
}

function swapFinding(swaps: string | null): Finding {
  if (swaps === null) return finding("note", "Whether memory is swapped to a disk here is unknown.");
  const devices = swaps
    .split("\n")
    .slice(1)
    .map((line) => line.split(/\s+/, 1)[0] ?? "")
    .filter((device) => device !== "" && !/\/zram\d*$/.test(device));
  if (devices.length === 0) return finding("ok", "Memory is not swapped to a disk.");
  return finding(
    "note",
    `Memory may be swapped to ${devices.map((device) => escapeText(device, 80)).join(", ")}, secrets included.`,
    "Make sure that swap is encrypted.",
  );
}

/** Options of Node by prefix, with their effect on secrets. */
const SWITCHES: readonly (readonly [RegExp, Finding["state"], string])[] = [
  [/^--inspect/, "problem", "lets a debugger read all memory of verdict"],
  [/^--(?:heapsnapshot|heap-prof|diagnostic-dir)/, "problem", "writes memory of verdict into files"],
  [/^--tls-keylog/, "problem", "writes the keys of its connections into a file"],
  [
    /^--tls-(?:min|max|cipher-list)/,
    "note",
    "changes the TLS limits of Node; verdict always requires TLS 1.2 or newer",
  ],
  [/^--(?:report|cpu-prof|trace|prof)/, "note", "writes diagnostic data of verdict, without its secrets"],
  [
    /^(?:--(?:require|import|loader|experimental-loader)|-r)\b/,
    "note",
    "runs other code inside verdict, which can read all it knows",
  ],
];

function switchFindings({ env, nodeOptions }: ProcessFacts): Finding[] {
  const words = [...(env["NODE_OPTIONS"] ?? "").split(/\s+/), ...nodeOptions];
  const findings = words.flatMap((word) => {
    const found = SWITCHES.find(([start]) => start.test(word));
    if (found === undefined) return [];
    const [, state, what] = found;
    return [
      finding(
        state,
        `${escapeText(word.split("=", 1)[0]!, 60)} ${what}.`,
        "Remove this option from NODE_OPTIONS, unless you set it on purpose.",
      ),
    ];
  });
  if (env["NODE_DEBUG"] || env["NODE_DEBUG_NATIVE"]) {
    findings.push(
      finding(
        "problem",
        "NODE_DEBUG makes Node print what it does, headers and signatures included.",
        "Unset it before anything is sent.",
      ),
    );
  }
  if (findings.length === 0) findings.push(finding("ok", "No option of Node exposes secrets."));
  return findings;
}

function networkFindings(env: NodeJS.ProcessEnv): Finding[] {
  const findings: Finding[] = [];
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    findings.push(
      finding(
        "problem",
        "NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate validation, so verdict sends nothing.",
        "Unset it, and add your certificate authority to the profile with --ca.",
      ),
    );
  }
  if (env["SSLKEYLOGFILE"]) {
    findings.push(
      finding(
        "note",
        "SSLKEYLOGFILE is set; verdict ignores it, but other programs write their TLS keys to that file.",
        "Unset it, unless you set it on purpose.",
      ),
    );
  }
  if (env["NODE_EXTRA_CA_CERTS"]) {
    findings.push(
      finding(
        "note",
        "NODE_EXTRA_CA_CERTS adds certificate authorities to those that are trusted.",
        "Name an authority in the profile with --ca instead, for that service alone.",
      ),
    );
  }
  const proxy = env["https_proxy"] ?? env["HTTPS_PROXY"] ?? "";
  if (proxy !== "") findings.push(proxyFinding(proxy));
  return findings;
}

/** Shows the host only, because user name and password are secret. */
function proxyFinding(proxy: string): Finding {
  const text = proxy.includes("://") ? proxy : `http://${proxy}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === "") {
    return finding(
      "problem",
      "HTTPS_PROXY names no proxy that can be read as an address.",
      "Write it as http://proxy.example:3128, or unset it.",
    );
  }
  const known = url.username === "" ? "" : ", as a user of it";
  return finding(
    "note",
    `Calls to https addresses go through the proxy ${escapeText(url.host, 100)}${known}.`,
  );
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
