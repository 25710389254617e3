// Options of the commands demo, doctor, schema and serve.

import {
  flag,
  inGroup,
  instant,
  option,
  path,
  seconds,
  text,
  whole,
  withVariables,
  type ValueType,
} from "./option.ts";
import { JSON_OPTION, NUMBER_READINGS, YES } from "./option-specs.ts";

const SECONDS = seconds(1, 3_600);

const PACE: ValueType<number | "reading"> = {
  ...SECONDS,
  read: (given) => (given === "reading" ? given : SECONDS.read(given)),
};

export const DEMO = {
  list: flag("list the built-in decks"),
  plain: flag("print plain text even on a terminal"),
  check: flag("play the deck unseen, test its rules, and list the words that stay English", {
    excludes: ["list", "plain", "json", "auto", "from", "notes", "follow", "export", "record"],
  }),
  ...inGroup("Presenting", {
    auto: option(
      PACE,
      "advance automatically, e.g. after 8s (default: the time to read the text of the step)",
      {
        value: "[duration]",
        alone: "reading",
      },
    ),
    from: option(whole(1, 200), "begin at this step; the checks before it are sent, and not shown"),
    notes: flag("show the presenter's notes"),
    follow: flag("show the notes of the deck that another terminal presents"),
  }),
  ...inGroup("Files", {
    export: text("<kind=file>", "write the deck as one page for a browser: html=FILE"),
    record: text("<file>", "record the screen as an asciicast", { writes: "file", excludes: ["json"] }),
    size: text("<size>", "record a virtual terminal of this size, e.g. 80x24 (without a terminal: 100x30)", {
      needs: "record",
    }),
    yes: { ...YES, help: "overwrite an existing file of --record or --export" },
  }),
  json: JSON_OPTION,
};

export const DOCTOR = {
  verify: flag("also read every entry of the history and of runs, and open every entry of the vault"),
  online: flag("also ask the service of the profile for its time; doctor sends nothing else"),
  json: JSON_OPTION,
};

export const SCHEMA = {
  path: flag("print the path of the schema file, for the settings of an editor"),
  json: JSON_OPTION,
};

export const PORT = whole(0, 65_535);

export const SERVE = {
  ...withVariables("VERDICT_SERVE_", {
    ...inGroup("Address", {
      host: text("<address>", "address to listen on", { default: "127.0.0.1" }),
      port: option(PORT, "port to listen on; 0 for a free one (default: 8787)"),
      tlsCert: option(path, "use TLS with this certificate and its chain, as PEM", { needs: "tlsKey" }),
      tlsKey: option(path, "private key of the certificate, as PEM; the file must be readable only by you", {
        needs: "tlsCert",
      }),
      drainDelay: option(
        seconds(0, 600),
        "time after SIGTERM in which /ready answers 503 and calls are still accepted",
        {
          default: "0s",
        },
      ),
    }),
    ...inGroup("Administrative plane", {
      adminPort: option(PORT, "port of the administrative plane on 127.0.0.1; 0 for a free port"),
      adminHost: text(
        "<address>",
        "address of the administrative plane; any address but loopback needs TLS and a token",
        {
          needs: "adminPort",
        },
      ),
      adminTokenFile: option(path, "private file with the administrative token, 32 characters or more", {
        needs: "adminPort",
      }),
    }),
    ...inGroup("State", {
      state: text("<place>", "folder of the state, or a Valkey or Redis server: valkey://HOST:PORT"),
      ephemeral: flag("delete all data on exit"),
      stateKeyFile: option(
        path,
        "with a Valkey or Redis server: file with the key that encrypts secrets, the same for all workers",
      ),
      statePasswordFile: option(
        path,
        "with a Valkey or Redis server: file with the password of the user in the address",
      ),
      stateCa: option(
        path,
        "with a Valkey or Redis server over TLS: PEM file of its certificate authorities",
      ),
      localDir: option(
        path,
        "with a Valkey or Redis server: folder of this worker's own files (default: a new folder)",
        {
          value: "<dir>",
        },
      ),
    }),
    ...inGroup("Registration and signatures", {
      recipe: text("<id or file>", "recipe that requests must be signed with", {
        default: "http-signatures",
      }),
      credentialDelay: option(seconds(0, 86_400), "time from registration until the credential is ready", {
        default: "5s",
      }),
      credentialUnsigned: flag("accept credential requests with an empty Authorization header"),
    }),
    ...inGroup("Decisions", {
      rules: option(path, "rule file, read again when it changes (default: the starter rules)"),
      require: text("<fields>", "required fields (default: operation,order_id,amount,currency)"),
      magic: flag("give order ids that begin with force- no special meaning", { off: true }),
      seed: option(
        whole(0, Number.MAX_SAFE_INTEGER),
        "generate the same ids, secrets and latencies in each run with this seed",
      ),
      startAt: option(instant, "virtual time at the start, ISO 8601"),
    }),
    ...NUMBER_READINGS,
    json: {
      ...JSON_OPTION,
      help: "once the sandbox listens, print one line of JSON: url, admin_url, keys_file, pid",
    },
    openapi: flag("print the OpenAPI 3.1 document of this sandbox, and exit"),
  }),
  embedded: flag("used by the console; exits after the last client disconnects", { hidden: true }),
};
