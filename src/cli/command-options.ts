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
  ...inGroup("Presenting", {
    auto: option(PACE, "advance automatically, e.g. 8s (default: as long as reading takes)", {
      value: "[duration]",
      alone: "reading",
    }),
    notes: flag("show the presenter's notes"),
    follow: flag("show the notes of the deck that another terminal presents"),
  }),
  ...inGroup("Files", {
    export: text("<kind=file>", "write the deck as one page for a browser: html=FILE"),
    record: text("<file>", "record the screen as an asciicast", { writes: "file", excludes: ["json"] }),
    size: text("<size>", "of a made-up terminal to record, e.g. 80x24 (100x30)", { needs: "record" }),
    yes: { ...YES, help: "overwrite the file of a recording or page" },
  }),
  json: JSON_OPTION,
};

export const DOCTOR = {
  verify: flag("also read every entry of the history and of runs, and open every entry of the vault"),
  online: flag("also ask the profile's service for its time; nothing is sent otherwise"),
  json: JSON_OPTION,
};

export const SCHEMA = {
  path: flag("print where its file is, for the settings of an editor"),
  json: JSON_OPTION,
};

export const PORT = whole(0, 65_535);

export const SERVE = {
  ...withVariables("VERDICT_SERVE_", {
    ...inGroup("Address", {
      host: text("<address>", "address to listen on", { default: "127.0.0.1" }),
      port: option(PORT, "port to listen on; 0 for a free one (default: 8787)"),
      tlsCert: option(path, "speak TLS with this certificate and its chain, as PEM", { needs: "tlsKey" }),
      tlsKey: option(path, "its private key, as PEM, which only you can read", { needs: "tlsCert" }),
      drainDelay: option(
        seconds(0, 600),
        "after SIGTERM, /ready answers 503 this long before calls are refused",
        {
          default: "0s",
        },
      ),
    }),
    ...inGroup("Administrative plane", {
      adminPort: option(PORT, "port of the administrative plane on 127.0.0.1; 0 for a free port"),
      adminHost: text("<address>", "address of the administrative plane, which needs TLS and a token", {
        needs: "adminPort",
      }),
      adminTokenFile: option(path, "private file with the administrative token, 32 characters or more", {
        needs: "adminPort",
      }),
    }),
    ...inGroup("State", {
      state: text("<place>", "a folder, or the address of a Valkey or Redis server"),
      ephemeral: flag("delete all data on exit"),
      stateKeyFile: option(path, "with a server: file with the key of secrets, the same for all workers"),
      statePasswordFile: option(path, "with a server: file with the password of the user in its address"),
      stateCa: option(path, "with a server by TLS: its certificate authorities, as PEM"),
      localDir: option(path, "with a server: folder of this worker's own files (default: a new one)", {
        value: "<dir>",
      }),
    }),
    ...inGroup("Registration and signatures", {
      recipe: text("<id or file>", "how requests must be signed", { default: "http-signatures" }),
      credentialDelay: option(seconds(0, 86_400), "from registration until the credential is ready", {
        default: "5s",
      }),
      credentialUnsigned: flag("accept credential requests with an empty Authorization header"),
    }),
    ...inGroup("Decisions", {
      rules: option(path, "rules that decide, read again when they change (default: starter)"),
      require: text("<fields>", "required fields (default: operation,order_id,amount,currency)"),
      magic: flag("treat order ids that begin with force- like any other", { off: true }),
      seed: option(whole(0, Number.MAX_SAFE_INTEGER), "same seed, same ids, secrets and latencies"),
      startAt: option(instant, "virtual time at the start, ISO 8601"),
    }),
    ...NUMBER_READINGS,
    json: { ...JSON_OPTION, help: "once it listens, print one line of JSON: url, admin_url, keys_file, pid" },
    openapi: flag("print the OpenAPI 3.1 document of such a sandbox, and start nothing"),
  }),
  embedded: flag("used by the console; exits after the last client disconnects", { hidden: true }),
};
