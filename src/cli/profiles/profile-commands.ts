// The commands profile, recipe and sign in the command table.

import { command, type CommandSpec } from "#src/cli/command.ts";
import { JSON_OPTION, SHOWN, YES } from "#src/cli/option-specs.ts";
import { INIT, PROFILE_ADD, RECIPE_INFER, SIGN } from "./profile-options.ts";

/** Standing at the root, as the first command of a new user. */
export const INIT_COMMAND: CommandSpec = command({
  name: "init",
  summary: "set up your service: address, key and signing scheme, proved by a first check",
  arguments: [["[name]", "name of the new profile (default: service, or service-2 where that exists)"]],
  options: INIT,
  notes:
    "On a terminal, init asks for what the options leave open. The first check has the\n" +
    "amount 0. Without a verdict, init saves only the history entry of that check.",
  details:
    "Without a terminal, init names what is missing. The secret is typed without echo,\n" +
    "or read with --secret-stdin. --request also gives the addresses that no option names.\n" +
    "The first check is a verification of amount 0 that no payment follows; the service\n" +
    "counts it like any other. A LIVE service gets it only after its name is typed, or\n" +
    "given with --confirm. The exit code is the one of the check. init does not test an\n" +
    "integration key, because a test registers a project.",
  examples: [
    ["verdict init", "a dialogue"],
    [
      "pass show shop | verdict init shop --base-url https://check.example --key-id K --project-id P --secret-stdin",
      "the same without questions",
    ],
    [
      "verdict init shop --base-url https://check.example --key-id K --project-id P --request good.http",
      "with the signing scheme of a request that the service has accepted",
    ],
  ],
  load: async () => (await import("./init.ts")).init,
});

export const PROFILE_COMMAND: CommandSpec = {
  name: "profile",
  aliases: ["profiles"],
  summary: "the services that are worked with: their addresses, environments and signing recipes",
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
      summary: "add a profile, or change one",
      arguments: [["<name>", "name of the profile"]],
      options: PROFILE_ADD,
      notes:
        "For an existing profile, only the named settings change; an empty value removes\n" +
        "a company, proxy or forms of answers. A LIVE profile is framed in red, and its name must\n" +
        "be typed before a replay. --read-only refuses everything that would send.\n" +
        'The key of the service is entered with "verdict vault add"; "verdict init" saves\n' +
        "profile and key together, or neither.",
      examples: [
        ["verdict profile add shop --base-url https://check.example", "a test service"],
        ["verdict profile add shop-live --base-url https://check.example --environment live", "real money"],
        ["verdict profile add shop-live --read-only", "send nothing"],
      ],
      load: async () => (await import("./profile.ts")).add,
    }),
    command({
      name: "use",
      summary: "make a profile the default without --profile",
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
      summary: "record that the service accepts requests signed with the profile's recipe",
      arguments: [["[name]", "name of the profile (default: the one in use)"]],
      options: { json: JSON_OPTION },
      notes:
        "Every recipe is an assumption until a service accepts a request that is signed\n" +
        "with it. Another recipe in the profile voids the confirmation.",
      examples: [["verdict profile confirm-recipe shop", "after the first answer of the service shop"]],
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
    summary: "signing recipes: how requests are signed, as documents",
    notes:
      "Custom recipes are YAML files in the folder recipes of the configuration folder;\n" +
      "a profile refers to one by its name. A recipe never holds a secret.",
    children: [
      command({
        name: "list",
        summary: "list the recipes; a document that cannot be used is listed with its problem",
        options: SHOWN,
        examples: [["verdict recipe list", "the built-in recipes and your own"]],
        load: async () => (await import("./recipe.ts")).list,
      }),
      command({
        name: "show",
        summary: "show a recipe as a document, with what it does not sign and how replays are detected",
        arguments: [["<recipe>", "id of a recipe, or a recipe document"]],
        options: SHOWN,
        examples: [
          ["verdict recipe show kong > mine.yaml", "a document to start from; give it an id of its own"],
        ],
        load: async () => (await import("./recipe.ts")).show,
      }),
      command({
        name: "test",
        summary: "run a recipe's vectors, and verify what it signs",
        arguments: [["<recipe>", "id of a recipe, or a recipe document"]],
        options: { json: JSON_OPTION },
        notes: "Exits 8 when a vector fails, 2 for a document that cannot be read.",
        examples: [
          ["verdict recipe test mine.yaml", "whether a document of your own signs as its vectors say"],
        ],
        load: async () => (await import("./recipe.ts")).test,
      }),
      command({
        name: "edit",
        summary:
          "open a recipe of your own in your editor (VISUAL, EDITOR, else vi); it is saved once it is valid",
        arguments: [["<recipe>", "id of a recipe of your own"]],
        examples: [["verdict recipe edit mine", "its vectors are tried before it is saved"]],
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
        summary: "requests with their signatures, for testing a signer in another language",
        arguments: [["[recipe]", "id of a recipe, or a recipe document (default: all built-in ones)"]],
        options: SHOWN,
        notes:
          "Each vector has a request, a key with a test secret, the time and the nonce; then\n" +
          "the string to sign, the signature and the headers that were sent. Those with\n" +
          "status 401 or 400 were changed on the way, or signed wrongly: who verifies must\n" +
          'refuse them. With --json one a line, in the form of "verdict schema\n' +
          'output-recipe-vectors". A runner in Python and cases for a service lie in\n' +
          "examples/contract of the package.",
        examples: [
          ["verdict recipe vectors http-signatures", "what they are about"],
          ["verdict recipe vectors --json > vectors.ndjson", "all of them, for a program"],
        ],
        load: async () => (await import("./recipe.ts")).vectors,
      }),
      command({
        name: "infer",
        summary: "find the recipe that signed a known-good request, offline",
        options: RECIPE_INFER,
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
      }),
    ],
  },
  command({
    name: "sign",
    summary: "sign a request without sending it: as a curl command, or explained byte by byte",
    arguments: [
      ["[file]", "the request as for check; of another --call, its body as JSON; - for standard input"],
    ],
    options: SIGN,
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
  }),
];
