// The subcommands of "verdict sandbox" in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { JSON_OPTION, SHOWN, YES } from "#src/cli/option-specs.ts";
import {
  TARGET,
  RESETTING,
  SANDBOX_PANEL,
  SANDBOX_FAULTS_ADD,
  SANDBOX_JOURNAL,
  SANDBOX_TENANT_CREATE,
} from "./sandbox-options.ts";

export const SANDBOX_COMMANDS: readonly CommandSpec[] = [
  command({
    name: "status",
    summary: "show the running sandbox, its choices where the specification is silent, and its faults",
    options: { ...TARGET, ...SHOWN },
    examples: [["verdict sandbox status --fields port,decisions", "for a program"]],
    load: async () => (await import("./sandbox-status.ts")).status,
  }),
  command({
    name: "panel",
    summary: "show its administrative panel: integration keys, and credentials once their 24 hours are over",
    options: SANDBOX_PANEL,
    examples: [
      [
        "verdict sandbox panel --secret KEY_ID | verdict vault add ... --secret-stdin",
        "a credential by hand, once its 24 hours are over",
      ],
    ],
    load: async () => (await import("./sandbox.ts")).panel,
  }),
  command({
    name: "clock",
    summary: "show or move its virtual clock",
    arguments: [
      ["[action]", "freeze, resume, reset, set or advance"],
      ["[value]", "a time in ISO 8601 for set, a duration such as 24h or 90s for advance"],
    ],
    options: { ...TARGET, json: JSON_OPTION },
    notes:
      "Virtual time governs the credential window, counters, card expiry and the time\n" +
      "of decisions. Signatures and the header Date use real time. Setting the clock\n" +
      "back does not reopen a closed window; reset returns to real time and forgets\n" +
      "which windows were closed.",
    examples: [
      ["verdict sandbox clock advance 24h", "move windows and counters a day ahead"],
      ["verdict sandbox clock set 2026-12-31T23:59:00Z", "a minute before the cards of 12/26 expire"],
      ["verdict sandbox clock freeze", "stop time until resume, so that counts repeat exactly"],
    ],
    load: async () => (await import("./sandbox.ts")).clock,
  }),
  {
    name: "faults",
    summary: "what it does wrong on purpose: statuses, latency, resets, broken answers",
    children: [
      command({
        name: "list",
        summary: "list the injected faults and how often each occurred",
        options: { ...TARGET, ...SHOWN },
        examples: [["verdict sandbox faults list", "what goes wrong on purpose, and how often it did"]],
        load: async () => (await import("./sandbox-faults.ts")).listFaults,
      }),
      command({
        name: "add",
        summary: "inject a fault from now on",
        arguments: [
          ["<where>", "check, register, credential or all"],
          [
            "<what>",
            "a status from 400 to 599, or latency, reset, slow-body, truncated, duplicate-keys, garbage, timeout",
          ],
          [
            "[value]",
            "how long, for latency and slow-body: 200ms, 100ms..400ms evenly, 200ms~50ms around a mean",
          ],
        ],
        options: SANDBOX_FAULTS_ADD,
        notes:
          "A status and a reset happen before anything is decided; a slow, truncated,\n" +
          "duplicated or broken body and a timeout after it, so that the caller cannot know\n" +
          "the decision. Latencies add up; of the other faults, the first that applies to a\n" +
          "request is used. With a seed, the same requests are affected. Requests without a\n" +
          "key of the sandbox are never affected and do not count.",
        examples: [
          [
            "verdict sandbox faults add check 503 --rate 0.2 --count 10 --retry-after 5s",
            "a service that is overloaded",
          ],
          ["verdict sandbox faults add check 429 --retry-after 2s", "every check is refused for now"],
          ["verdict sandbox faults add all latency 200ms~50ms", "about 200 ms, like a distant network"],
          ["verdict sandbox faults add check reset --rate 0.01", "one connection in a hundred breaks"],
          ["verdict sandbox faults add check duplicate-keys", "an answer that two parsers read differently"],
        ],
        load: async () => (await import("./sandbox-faults.ts")).addFault,
      }),
      command({
        name: "clear",
        summary: "remove one fault, or all of them",
        arguments: [["[id]", "the fault; all of them when left out"]],
        options: { ...TARGET, json: JSON_OPTION },
        examples: [["verdict sandbox faults clear", "everything works again"]],
        load: async () => (await import("./sandbox-faults.ts")).clearFaults,
      }),
    ],
  },
  command({
    name: "journal",
    summary: "show the requests as it saw them: what it would have signed, what it decided, what was wrong",
    options: SANDBOX_JOURNAL,
    notes:
      "A 401 names the nearest miss, which the caller never learns. The journal\n" +
      "contains no secret and no body. It keeps the newest requests in files of 8 MiB,\n" +
      "and loses the last quarter of a second when the process is killed. It names\n" +
      "decisions by their ids.",
    examples: [
      ["verdict sandbox journal --follow", "watch a client at work, and why its signature fails"],
      ["verdict sandbox journal --limit 1 --signed", "compare the last string to sign with your own"],
    ],
    load: async () => (await import("./sandbox-journal.ts")).journal,
  }),
  command({
    name: "snapshot",
    summary: "save its state under a name or in a file; without one, list the snapshots",
    arguments: [["[name or file]", "a name such as before-demo, or a file such as ./before.snapshot"]],
    options: { ...TARGET, json: JSON_OPTION },
    notes:
      "Projects, counts, decisions and virtual time. Secrets in it stay sealed with the key of this\n" +
      "sandbox: another one cannot use it.",
    examples: [
      ["verdict sandbox snapshot before-demo", "a state to return to"],
      ["verdict sandbox restore before-demo --yes", "and back, as often as needed"],
    ],
    load: async () => (await import("./sandbox-snapshots.ts")).snapshot,
  }),
  command({
    name: "restore",
    summary: "restore it from a snapshot",
    arguments: [["<name or file>", "the name or file given to snapshot"]],
    options: { yes: YES, ...TARGET, json: JSON_OPTION },
    notes: "Used signatures stay used, because real time does not go back.",
    examples: [
      ["verdict sandbox restore before-demo --yes", "the state that snapshot saved under this name"],
    ],
    load: async () => (await import("./sandbox-snapshots.ts")).restore,
  }),
  command({
    name: "reset",
    summary: "reset it, or one tenant of it, to its first state; its integration keys stay",
    options: RESETTING,
    notes: "The clock returns to real time, and forgets which windows it had closed.",
    examples: [
      ["verdict sandbox reset --keep-projects --yes", "no counts and decisions, the same credentials"],
      ["verdict sandbox reset --tenant ci-42 --yes", "no counts, decisions and faults of this tenant"],
    ],
    load: async () => (await import("./sandbox-snapshots.ts")).reset,
  }),
  {
    name: "tenant",
    summary: "parts of one sandbox that see nothing of each other: for teams, and for test runs side by side",
    children: [
      command({
        name: "create",
        summary: "create one with its own keys, clock, faults, rules, journal and counts",
        arguments: [["<name>", "lower-case letters, digits and dashes"]],
        options: SANDBOX_TENANT_CREATE,
        notes:
          "The key that signs a call decides its tenant; calls are sent to the same address. Its own\n" +
          "administrative token reaches this tenant alone. The embedded sandbox can have tenants, too,\n" +
          "but only this machine reaches it.",
        examples: [
          [
            "verdict sandbox tenant create ci-42 --ttl 2h --state DIR --output keys.json",
            "for one run of a test suite",
          ],
        ],
        load: async () => (await import("./sandbox-tenants.ts")).createTenant,
      }),
      command({
        name: "list",
        summary: "list the tenants, and what each holds; or show one, with its quota",
        arguments: [["[name]", "the tenant to show"]],
        options: { ...TARGET, ...SHOWN },
        examples: [
          ["verdict sandbox tenant list --state DIR", "who shares the sandbox"],
          ["verdict sandbox tenant list ci-42 --state DIR", "when it ends, and what it holds"],
        ],
        load: async () => (await import("./sandbox-tenants.ts")).listTenants,
      }),
      command({
        name: "remove",
        summary: "remove one with everything in it",
        arguments: [["<name>", "the tenant"]],
        options: { yes: YES, ...TARGET, json: JSON_OPTION },
        examples: [["verdict sandbox tenant remove ci-42 --state DIR --yes", "before its time is over"]],
        load: async () => (await import("./sandbox-tenants.ts")).removeTenant,
      }),
    ],
  },
  {
    name: "company",
    summary: "companies of the sandbox: calls of one are refused for projects of another",
    children: [
      command({
        name: "add",
        summary: "add a company with an integration key, or another key to one",
        arguments: [["[company-id]", "a company to get another key; a new company when left out"]],
        options: { ...TARGET, json: JSON_OPTION },
        examples: [
          ["verdict sandbox company add", "to rehearse x-company-id with two companies"],
          ["verdict sandbox company add com-0123456789abcdef", "to rehearse the change of a key"],
        ],
        load: async () => (await import("./sandbox-tenants.ts")).addCompany,
      }),
    ],
  },
  command({
    name: "stop",
    summary: "stop it; its state stays on disk",
    options: { ...TARGET, json: JSON_OPTION },
    examples: [["verdict sandbox stop", "until the next command that needs it"]],
    load: async () => (await import("./sandbox.ts")).stop,
  }),
];
