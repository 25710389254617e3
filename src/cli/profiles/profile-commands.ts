// The commands profile, recipe and sign in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { JSON_OPTION, SHOWN, YES } from "#src/cli/option-specs.ts";
import { INIT, PROFILE_ADD, RECIPE_INFER, SIGN } from "./profile-options.ts";

/** Standing at the root, as the first command of a new user. */
export const INIT_COMMAND: CommandSpec = command({
  name: "init",
  summary: "create and test a profile for your service",
  arguments: [["[name]", "name of the new profile (default: service, or service-2 if that exists)"]],
  options: INIT,
  notes:
    "On a terminal, init asks for each missing option; without a terminal, init names\n" +
    "each missing option. The first check has the amount 0. If it gets no verdict,\n" +
    "init saves neither profile nor key, only the history entry of the check.",
  details:
    "You type the secret, which is not shown, or give it with --secret-stdin. verdict also\n" +
    "takes missing addresses from the request of --request.\n" +
    "The first check is a verification with amount 0; no payment follows. The service\n" +
    "counts this check like any other. A LIVE service gets the check only after you type\n" +
    "the name of the profile or give it with --confirm. The exit code is the exit code of\n" +
    "the check. init does not test an integration key, because a test registers a project.",
  examples: [
    ["verdict init", "asks for everything"],
    [
      "pass show shop | verdict init shop --base-url https://check.example --key-id K --project-id P --secret-stdin",
      "the same without questions; pass is a password manager",
    ],
    [
      "verdict init shop --base-url https://check.example --key-id K --project-id P --request good.http",
      "finds the recipe from a request that the service accepted",
    ],
  ],
  load: async () => (await import("./init.ts")).init,
});

export const PROFILE_COMMAND: CommandSpec = {
  name: "profile",
  aliases: ["profiles"],
  summary: "manage profiles: address, environment and recipe of each service",
  children: [
    command({
      name: "list",
      summary: "list the profiles",
      options: SHOWN,
      examples: [
        ["verdict profile list --fields name,environment", "a line for each profile, for a program"],
      ],
      load: async () => (await import("./profile.ts")).list,
    }),
    command({
      name: "add",
      summary: "add a profile, or change an existing profile",
      arguments: [["<name>", "name of the profile"]],
      options: PROFILE_ADD,
      notes:
        "For an existing profile, only the given settings change. An empty value, e.g.\n" +
        '--proxy "", removes the company, proxy or answer forms. The console frames a\n' +
        "LIVE profile in red, and asks you to type its name before a replay. --read-only\n" +
        'refuses everything that would send. "verdict vault add" saves the key of the\n' +
        'service; "verdict init" saves profile and key together, or neither.',
      examples: [
        ["verdict profile add shop --base-url https://check.example", "a test service"],
        ["verdict profile add shop-live --base-url https://check.example --environment live", "real money"],
        [
          "verdict profile add shop-live --read-only",
          "changes the profile: verdict sends nothing through it",
        ],
      ],
      load: async () => (await import("./profile.ts")).add,
    }),
    command({
      name: "use",
      summary: "use this profile when --profile is not given",
      arguments: [["<name>", "name of the profile"]],
      options: { json: JSON_OPTION },
      examples: [["verdict profile use shop", "from now on, every command works with shop"]],
      load: async () => (await import("./profile.ts")).use,
    }),
    command({
      name: "show",
      summary: "show one profile",
      arguments: [["<name>", "name of the profile"]],
      options: SHOWN,
      examples: [["verdict profile show sandbox", "addresses, recipe and limits of the sandbox"]],
      load: async () => (await import("./profile.ts")).show,
    }),
    command({
      name: "confirm-recipe",
      summary: "record that the service accepts the profile's recipe",
      arguments: [["[name]", "name of the profile (default: the one in use)"]],
      options: { json: JSON_OPTION },
      notes:
        "Every recipe is an assumption until a service accepts a request that is signed\n" +
        "with this recipe. If you change the recipe of the profile, the confirmation is\n" +
        "removed.",
      examples: [
        ["verdict profile confirm-recipe shop", "after the service of shop accepted a signed request"],
      ],
      load: async () => (await import("./profile.ts")).confirmRecipe,
    }),
    command({
      name: "remove",
      summary: "remove a profile; its history and vault entries stay",
      arguments: [["<name>", "name of the profile"]],
      options: { yes: YES, json: JSON_OPTION },
      examples: [["verdict profile remove shop --yes", "without a question"]],
      load: async () => (await import("./profile.ts")).remove,
    }),
  ],
};

export const SIGNING_COMMANDS: readonly CommandSpec[] = [
  {
    name: "recipe",
    aliases: ["recipes"],
    summary: "list, test, edit and find signing recipes",
    notes:
      "A recipe is a document that describes how requests are signed. Your own recipes\n" +
      "are YAML files in the folder recipes of the configuration folder; a profile\n" +
      "refers to a recipe by its name. A recipe never contains a secret.",
    children: [
      command({
        name: "list",
        summary: "list the recipes, also unusable ones with their problem",
        options: SHOWN,
        examples: [["verdict recipe list", "the built-in recipes and your own"]],
        load: async () => (await import("./recipe.ts")).list,
      }),
      command({
        name: "show",
        summary: "show a recipe, and what it does not sign",
        arguments: [["<recipe>", "id of a recipe, or a recipe document"]],
        options: SHOWN,
        examples: [["verdict recipe show kong > mine.yaml", "a recipe to start from; change its id"]],
        load: async () => (await import("./recipe.ts")).show,
      }),
      command({
        name: "test",
        summary: "test a recipe with its test vectors",
        arguments: [["<recipe>", "id of a recipe, or a recipe document"]],
        options: { json: JSON_OPTION },
        notes:
          "A test vector is a request with a known signature. Exits 8 when a vector fails,\n" +
          "2 for a document that cannot be read.",
        examples: [
          ["verdict recipe test mine.yaml", "tests that your recipe produces the signatures of its vectors"],
        ],
        load: async () => (await import("./recipe.ts")).test,
      }),
      command({
        name: "edit",
        summary: "open a recipe of your own in your editor",
        arguments: [["<recipe>", "id of a recipe of your own"]],
        notes:
          "The editor is VISUAL, EDITOR, else vi. verdict tests the vectors and saves the\n" +
          "recipe when it is valid.",
        examples: [["verdict recipe edit mine", "an invalid recipe is not saved"]],
        load: async () => (await import("./own-recipe.ts")).edit,
      }),
      command({
        name: "remove",
        summary: "permanently remove a recipe of your own",
        arguments: [["<recipe>", "id of a recipe of your own"]],
        options: { yes: YES, json: JSON_OPTION },
        examples: [["verdict recipe remove mine --yes", "without a question"]],
        load: async () => (await import("./own-recipe.ts")).remove,
      }),
      command({
        name: "vectors",
        summary: "print signed requests for testing another signer",
        arguments: [["[recipe]", "id of a recipe, or a recipe document (default: all built-in ones)"]],
        options: SHOWN,
        notes:
          "Each vector has a request, a key with a test secret, the time, the nonce, the\n" +
          "string to sign, the signature and the sent headers. Vectors with status 401 or\n" +
          "400 were changed in transit or signed wrongly; a verifier must refuse them.\n" +
          '--json prints one vector a line; "verdict schema output-recipe-vectors"\n' +
          "describes the line. A runner in Python and cases for a service are in\n" +
          "examples/contract of the package.",
        examples: [
          ["verdict recipe vectors http-signatures", "lists the vectors of a recipe with their descriptions"],
          ["verdict recipe vectors --json > vectors.ndjson", "all vectors, for a program"],
        ],
        load: async () => (await import("./recipe.ts")).vectors,
      }),
      command({
        name: "infer",
        summary: "find the recipe that signed an accepted request",
        options: RECIPE_INFER,
        notes:
          "infer sends nothing, and the request may be old. infer tries all recipes,\n" +
          "variants with the headers of the request, and strings of request parts in every\n" +
          "likely order, each with every encoding of key and signature. If no recipe\n" +
          "reproduces the signature, infer shows the closest results and exits 8.",
        examples: [
          ["verdict recipe infer --request good.http --key-id KEY_ID --save mine", "with a key of the vault"],
          ["verdict profile add mine --base-url https://risk.example.com --recipe mine", "and then use it"],
        ],
        load: async () => (await import("./recipe-infer.ts")).infer,
      }),
    ],
  },
  command({
    name: "sign",
    summary: "sign a request without sending it",
    arguments: [
      [
        "[file]",
        'the input as for "verdict check"; with another --call, a file with the body as JSON; - for standard input',
      ],
    ],
    options: SIGN,
    notes:
      "Without --explain, sign prints a curl command with the body byte for byte as\n" +
      "signed. The command does not contain the secret. The service accepts the\n" +
      "signature once, and only for a short time.",
    examples: [
      ["verdict sign payload.json --explain", "shows the string to sign, with visible line ends"],
      ["verdict sign payload.json | sh", "sends the request with curl"],
      ["verdict sign payload.json --explain --recipe kong --test-key", "a recipe without a key in the vault"],
    ],
    load: async () => (await import("./sign.ts")).sign,
  }),
];
