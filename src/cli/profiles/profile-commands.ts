// The commands profile, recipe and sign in the command table.

import type { CommandSpec } from "#src/cli/command.ts";
import { JSON_OPTION, NUMBER_READINGS } from "#src/cli/option-specs.ts";
import { ENDPOINTS } from "#src/contract/wire/wire.ts";

export const PROFILE_COMMAND: CommandSpec = {
  name: "profile",
  summary: "the services that are worked with: their addresses, environments and signing recipes",
  children: [
    {
      name: "list",
      summary: "list the profiles",
      options: [JSON_OPTION],
      load: async () => (await import("./profile.ts")).list,
    },
    {
      name: "add",
      summary: "add a profile, or change one",
      arguments: [["<name>", "name of the profile"]],
      options: [
        { flags: "--base-url <url>", help: "address of the check; a new profile needs one" },
        {
          flags: "--projects-url <url>",
          help: "address of registration and credentials (default: the base address)",
        },
        { flags: "--environment <kind>", help: "test or live (default: test)" },
        {
          flags: "--read-only",
          help: "send nothing through it: no check, replay, registration or credential request",
        },
        { flags: "--no-read-only", help: "allow sending again" },
        {
          flags: "--company-id <id>",
          help: "company whose integration key registers projects (default: that of the newest key)",
        },
        { flags: "--recipe <id>", help: "how requests are signed (default: http-signatures)" },
        ...NUMBER_READINGS,
        {
          flags: "--credential-wait <seconds>",
          help: "recommended wait before the credential request (default: 180)",
        },
        {
          flags: "--ca <file>",
          help: "PEM file of additional certificate authorities to trust",
        },
        {
          flags: "--proxy <url>",
          help: "address of a proxy, or direct for none (default: HTTPS_PROXY of the environment)",
        },
        { flags: "--deadline <seconds>", help: "for a whole call, retries included (default: 30)" },
      ],
      notes:
        "For an existing profile, only the named settings change; an empty value removes\n" +
        "a company, deadline or proxy. A LIVE profile is framed in red, and its name must\n" +
        "be typed before a replay. --read-only refuses everything that would send.",
      examples: [
        ["verdict profile add shop --base-url https://check.example", "a test service"],
        ["verdict profile add shop-live --base-url https://check.example --environment live", "real money"],
        ["verdict profile add shop-live --read-only", "send nothing"],
      ],
      load: async () => (await import("./profile.ts")).add,
    },
    {
      name: "use",
      summary: "make a profile the default without --profile",
      arguments: [["<name>", "name of the profile"]],
      load: async () => (await import("./profile.ts")).use,
    },
    {
      name: "show",
      summary: "show one profile",
      arguments: [["<name>", "name of the profile"]],
      options: [JSON_OPTION],
      load: async () => (await import("./profile.ts")).show,
    },
    {
      name: "confirm-recipe",
      summary: "record that the service accepts requests signed with the profile's recipe",
      arguments: [["[name]", "name of the profile (default: the one in use)"]],
      notes:
        "Every recipe is an assumption until a service accepts a request that is signed\n" +
        "with it. Another recipe in the profile voids the confirmation.",
      load: async () => (await import("./profile.ts")).confirmRecipe,
    },
    {
      name: "remove",
      summary: "remove a profile; its history and vault entries stay",
      arguments: [["<name>", "name of the profile"]],
      options: [{ flags: "--yes", help: "do not ask" }],
      load: async () => (await import("./profile.ts")).remove,
    },
  ],
};

export const SIGNING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "recipe",
    summary: "signing recipes: how requests are signed, as documents",
    notes:
      "Custom recipes are YAML files in the folder recipes of the configuration folder;\n" +
      "a profile refers to one by its name. A recipe never holds a secret.",
    children: [
      {
        name: "list",
        summary: "list the recipes; a document that cannot be used is listed with its problem",
        options: [JSON_OPTION],
        load: async () => (await import("./recipe.ts")).list,
      },
      {
        name: "show",
        summary: "show a recipe as a document, with what it does not sign and how replays are detected",
        arguments: [["<recipe>", "id of a recipe, or a recipe document"]],
        examples: [
          ["verdict recipe show kong > mine.yaml", "a document to start from; give it an id of its own"],
        ],
        load: async () => (await import("./recipe.ts")).show,
      },
      {
        name: "test",
        summary: "run a recipe's vectors, and verify what it signs",
        arguments: [["<recipe>", "id of a recipe, or a recipe document"]],
        options: [JSON_OPTION],
        notes: "Exits 8 when a vector fails, 2 for a document that cannot be read.",
        load: async () => (await import("./recipe.ts")).test,
      },
      {
        name: "infer",
        summary: "find the recipe that signed a known-good request, offline",
        options: [
          {
            flags: "--request <file>",
            help: "the request as HTTP/1.1 text or as a curl command; - for standard input",
            required: true,
          },
          { flags: "--key-id <id>", help: "take the secret of this key from the vault" },
          { flags: "--secret-stdin", help: "read the secret from standard input" },
          { flags: "--save <name>", help: "save the recipe under this name; never overwrites a document" },
          JSON_OPTION,
        ],
        notes:
          "Tries all recipes, their families with the request's own headers, and texts of\n" +
          "its parts in every likely order, each with every encoding of key and signature.\n" +
          "The request may be old. Exits 8 when nothing reproduces it, and shows what comes\n" +
          "close.",
        examples: [
          ["verdict recipe infer --request good.http --key-id KEY_ID --save mine", "with a key of the vault"],
          ["verdict profile add mine --base-url https://risk.example.com --recipe mine", "and then use it"],
        ],
        load: async () => (await import("./recipe-infer.ts")).infer,
      },
    ],
  },
  {
    name: "sign",
    summary: "sign a request without sending it: as a curl command, or explained byte by byte",
    arguments: [
      ["[file]", "the request as for check; of another --call, its body as JSON; - for standard input"],
    ],
    options: [
      {
        flags: "--explain",
        help: "show the string to sign, the digest, how the key is derived, and the headers",
      },
      {
        flags: "--call <call>",
        help: "which request it is (default: check)",
        choices: Object.keys(ENDPOINTS),
      },
      { flags: "--set <path=value>", help: "change one field of a check", repeatable: true },
      { flags: "--recipe <id or file>", help: "sign with this recipe (default: that of the profile)" },
      { flags: "--project <key>", help: "the project, as merchant/risk-level or project id" },
      { flags: "--test-key", help: "sign with a made-up key and project, to try a recipe" },
      { flags: "--secret-stdin", help: "with --test-key: read its secret from standard input" },
      JSON_OPTION,
    ],
    notes:
      "Without --explain it prints a curl command with the body byte for byte as it was\n" +
      "signed. It does not contain the secret; the signature is valid once, for a short\n" +
      "time.",
    examples: [
      ["verdict sign payload.json --explain", "what is signed, with visible line ends"],
      ["verdict sign payload.json | sh", "sends it with curl"],
      ["verdict sign payload.json --explain --recipe kong --test-key", "a recipe without a key in the vault"],
    ],
    load: async () => (await import("./sign.ts")).sign,
  },
];
