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
    summary: "show the running sandbox, its settings and its faults",
    options: { ...TARGET, ...SHOWN },
    examples: [["verdict sandbox status --fields port,decisions", "for a program"]],
    load: async () => (await import("./sandbox-status.ts")).status,
  }),
  command({
    name: "panel",
    summary: "show the administrative panel of the sandbox",
    options: SANDBOX_PANEL,
    notes: "The panel has integration keys, and credentials whose 24 hours are over.",
    examples: [
      [
        "verdict sandbox panel --secret KEY_ID | verdict vault add --key-id KEY_ID --project-id ID --secret-stdin",
        "puts a credential into the vault when its 24 hours are over",
      ],
    ],
    load: async () => (await import("./sandbox.ts")).panel,
  }),
  command({
    name: "clock",
    summary: "show or change the virtual clock of the sandbox",
    arguments: [
      ["[action]", "freeze, resume, reset, set or advance"],
      ["[value]", "a time in ISO 8601 for set, a duration such as 24h or 90s for advance"],
    ],
    options: { ...TARGET, json: JSON_OPTION },
    notes:
      "Virtual time governs the credential window, counters, card expiry and the time\n" +
      "of decisions. Signatures and the header Date use real time. Setting the clock\n" +
      'back does not reopen a closed credential window. "reset" returns to real time;\n' +
      "a window that only the virtual clock closed is open again.",
    examples: [
      ["verdict sandbox clock advance 24h", "moves the clock a day ahead, and so past credential windows"],
      ["verdict sandbox clock set 2026-12-31T23:59:00Z", "a minute before the cards of 12/26 expire"],
      ["verdict sandbox clock freeze", 'stops virtual time until "resume", so that counts repeat exactly'],
    ],
    load: async () => (await import("./sandbox.ts")).clock,
  }),
  {
    name: "faults",
    summary: "inject, list and remove faults of the sandbox",
    children: [
      command({
        name: "list",
        summary: "list the injected faults and how often each occurred",
        options: { ...TARGET, ...SHOWN },
        examples: [["verdict sandbox faults list", "shows the injected faults and their counts"]],
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
            "duration for latency and slow-body: 200ms, 100ms..400ms (uniform) or 200ms~50ms (mean and deviation)",
          ],
        ],
        options: SANDBOX_FAULTS_ADD,
        notes:
          "A status or reset comes before the decision. slow-body, truncated,\n" +
          "duplicate-keys, garbage and timeout come after the decision, so the caller\n" +
          "cannot know it. Latencies add up. Of all other faults, a request gets only the\n" +
          'first that matches. With "verdict serve --seed" the same requests get the faults\n' +
          "in each run. Requests without a key of the sandbox never get a fault and do not\n" +
          "count.",
        examples: [
          [
            "verdict sandbox faults add check 503 --rate 0.2 --count 10 --retry-after 5s",
            "an overloaded service: ten requests, one in five, are refused",
          ],
          [
            "verdict sandbox faults add check 429 --retry-after 2s",
            'refuses every check until "verdict sandbox faults clear"',
          ],
          ["verdict sandbox faults add all latency 200ms~50ms", "about 200 ms, like a distant network"],
          ["verdict sandbox faults add check reset --rate 0.01", "one connection in a hundred breaks"],
          ["verdict sandbox faults add check duplicate-keys", "an answer that two parsers read differently"],
        ],
        load: async () => (await import("./sandbox-faults.ts")).addFault,
      }),
      command({
        name: "clear",
        summary: "remove one injected fault, or all injected faults",
        arguments: [["[id]", "id of the fault (default: all faults)"]],
        options: { ...TARGET, json: JSON_OPTION },
        examples: [["verdict sandbox faults clear", "everything works again"]],
        load: async () => (await import("./sandbox-faults.ts")).clearFaults,
      }),
    ],
  },
  command({
    name: "journal",
    summary: "show the requests that the sandbox received",
    options: SANDBOX_JOURNAL,
    notes:
      "A request has its string to sign, the id of the decision, and what was wrong.\n" +
      "For a 401 the journal shows which part of the signature differs; the answer to\n" +
      "the caller does not. The journal has no secrets and no bodies. The newest\n" +
      "requests are in files of 8 MiB; a killed process loses the last quarter of a\n" +
      "second.",
    examples: [
      ["verdict sandbox journal --follow", "shows new requests, and why their signatures fail"],
      ["verdict sandbox journal --limit 1 --signed", "compare the last string to sign with your own"],
    ],
    load: async () => (await import("./sandbox-journal.ts")).journal,
  }),
  command({
    name: "snapshot",
    summary: "save the state of the sandbox, or list snapshots",
    arguments: [
      ["[name or file]", "a name such as before-demo, or a file such as ./x.snapshot (default: list them)"],
    ],
    options: { ...TARGET, json: JSON_OPTION },
    notes:
      "A snapshot contains projects, counts, decisions and virtual time. Secrets in a\n" +
      "snapshot are encrypted with the key of this sandbox, so only this sandbox can\n" +
      "use it.",
    examples: [
      ["verdict sandbox snapshot before-demo", "saves the present state"],
      ["verdict sandbox restore before-demo --yes", "returns to that state, as often as needed"],
    ],
    load: async () => (await import("./sandbox-snapshots.ts")).snapshot,
  }),
  command({
    name: "restore",
    summary: "restore the sandbox from a snapshot",
    arguments: [["<name or file>", "name or file of the snapshot"]],
    options: { yes: YES, ...TARGET, json: JSON_OPTION },
    notes: "The sandbox still refuses signatures that were used before the restore.",
    examples: [
      ["verdict sandbox restore before-demo --yes", "the state of the snapshot, without a question"],
    ],
    load: async () => (await import("./sandbox-snapshots.ts")).restore,
  }),
  command({
    name: "reset",
    summary: "reset the sandbox, or one of its tenants",
    options: RESETTING,
    notes:
      "Removes projects, decisions, counts and faults; integration keys stay. The clock\n" +
      "returns to real time.",
    examples: [
      ["verdict sandbox reset --keep-projects --yes", "keeps the projects and their credentials"],
      ["verdict sandbox reset --tenant ci-42 --yes", "only this tenant, without a question"],
    ],
    load: async () => (await import("./sandbox-snapshots.ts")).reset,
  }),
  {
    name: "tenant",
    summary: "create, list and remove isolated parts of the sandbox",
    children: [
      command({
        name: "create",
        summary: "create a tenant with its own keys and state",
        arguments: [["<name>", "lower-case letters, digits and dashes"]],
        options: SANDBOX_TENANT_CREATE,
        notes:
          "A tenant has its own keys, clock, faults, rules, journal and counts. All tenants\n" +
          "have the same address; the key that signs a call decides the tenant. The token\n" +
          "of a tenant administers only this tenant. The embedded sandbox can have tenants,\n" +
          "too, but only this machine reaches the embedded sandbox.",
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
        summary: "list the tenants, or show one tenant",
        arguments: [["[name]", "the tenant to show"]],
        options: { ...TARGET, ...SHOWN },
        examples: [
          ["verdict sandbox tenant list --state DIR", "all tenants of the sandbox"],
          [
            "verdict sandbox tenant list ci-42 --state DIR",
            "when the tenant ci-42 ends, what it contains, and its quota",
          ],
        ],
        load: async () => (await import("./sandbox-tenants.ts")).listTenants,
      }),
      command({
        name: "remove",
        summary: "permanently remove a tenant with all its data",
        arguments: [["<name>", "the tenant"]],
        options: { yes: YES, ...TARGET, json: JSON_OPTION },
        examples: [["verdict sandbox tenant remove ci-42 --state DIR --yes", "before its --ttl is over"]],
        load: async () => (await import("./sandbox-tenants.ts")).removeTenant,
      }),
    ],
  },
  {
    name: "company",
    summary: "add companies to the sandbox",
    children: [
      command({
        name: "add",
        summary: "add a company, or another key to a company",
        arguments: [["[company-id]", "company that gets another integration key (default: a new company)"]],
        options: { ...TARGET, json: JSON_OPTION },
        notes: "The sandbox refuses calls of a company for the projects of another company.",
        examples: [
          ["verdict sandbox company add", "adds a second company, to test the header x-company-id"],
          ["verdict sandbox company add com-0123456789abcdef", "adds a key, to test the change of a key"],
        ],
        load: async () => (await import("./sandbox-tenants.ts")).addCompany,
      }),
    ],
  },
  command({
    name: "stop",
    summary: "stop the sandbox; its state stays on disk",
    options: { ...TARGET, json: JSON_OPTION },
    examples: [["verdict sandbox stop", "the next command that needs the embedded sandbox starts it again"]],
    load: async () => (await import("./sandbox.ts")).stop,
  }),
];
