// The client of the service (spec section 4): one call in, one outcome out; network failures are outcomes.

import { setTimeout as delay } from "node:timers/promises";
import type { buildConnector } from "undici";
import type { IntegrationKey, ProjectCredential } from "#src/contract/wire/credential.ts";
import type { AttemptEvent } from "#src/contract/records/exchange.ts";
import type { AnswerForm, RecipeStatus } from "#src/contract/records/profile.ts";
import {
  type AnswerFacts,
  type CallResult,
  type CheckResult,
  type CredentialResult,
  NO_FACTS,
  type RegisterResult,
} from "#src/contract/wire/outcome.ts";
import {
  BODY_LIMIT_BYTES,
  type Call,
  type CheckRequest,
  type CredentialRequest,
  ENDPOINTS,
  HEADER,
  type RegistrationRequest,
  REQUEST_HEADERS,
} from "#src/contract/wire/wire.ts";
import { runTurnText, type RunTurn } from "#src/contract/wire/run-turn.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import type { ProofKey } from "#src/signing/sandbox-proof.ts";
import { type Identity, sign } from "#src/signing/sign.ts";
import { endpointUrl, type Refusal, TLS_CHECK_OFF } from "./address.ts";
import { readFacts } from "./answer-facts.ts";
import { type Answer, exchange } from "./exchange.ts";
import { CANCELLED, DEADLINE, readFailure } from "./failure.ts";
import { connectProven } from "./proven-connection.ts";
import { readCheckAnswer, readCredentialAnswer, readRegisterAnswer } from "./read-answer.ts";
import { recordExchange } from "./record-exchange.ts";
import type { Terms } from "./refusal.ts";
import { RETRY_LIMIT, retryDelayMs } from "./retry.ts";
import { createRoutes, type NetworkSettings, PLAIN_NETWORK } from "./routes.ts";

export interface ClientOptions {
  /** Address of the check (spec {base_url}). */
  readonly baseUrl: string;
  /** Address of registration and credential retrieval (spec {projects_url}). */
  readonly projectsUrl: string;
  readonly recipe: Recipe;
  /** Whether the recipe is known to be the service's, for the advice after a refusal; null by default: no question. */
  readonly recipeStatus?: RecipeStatus | null;
  /** Forms of answers that are accepted beside the standard one; none by default. */
  readonly answers?: readonly AnswerForm[];
  /** Called for each request of each call. */
  readonly onAttempt?: ((event: AttemptEvent) => void) | undefined;
  /** Wall time in ms since the epoch: signed into each request and compared with the service's `Date`. */
  readonly now: () => number;
  /**
   * Key by which a sandbox proves its identity on each connection, so that a reused port never gets a payment. Only then
   * is a virtual time accepted.
   */
  readonly sandbox?: ProofKey;
  /** Proxy and trusted authorities; by default none in addition. */
  readonly network?: NetworkSettings;
  /** For a whole call with its retries and waits. */
  readonly deadlineMs?: number;
  readonly connectTimeoutMs?: number;
  readonly headersTimeoutMs?: number;
  /** 0 to below 1; spreads the waits before retries. */
  readonly random?: () => number;
  /** Waits before a retry; rejects when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface CallOptions {
  /** The JSON of the body, where it is made already: the bytes of an intent are those that are sent. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal;
  /** Called at most once, just before the first byte of the first request is written. */
  readonly onFirstByte?: () => void;
  /** Called for each request of this call. */
  readonly onAttempt?: (event: AttemptEvent) => void;
  /** Time by which a sandbox is to decide a check, in ms since the epoch; no other service is told. */
  readonly at?: number | undefined;
  /** Called for each request. Its result is sent to a sandbox of verdict only. */
  readonly turn?: (() => RunTurn) | undefined;
}

/**
 * Network failures are not thrown; they are the result's `outcome`.
 * Each call throws Fault `credential_missing` when the key cannot sign, before anything is sent.
 */
export interface Client {
  check(body: CheckRequest, credential: ProjectCredential, options?: CallOptions): Promise<CheckResult>;
  register(body: RegistrationRequest, key: IntegrationKey, options?: CallOptions): Promise<RegisterResult>;
  credential(body: CredentialRequest, key: IntegrationKey, options?: CallOptions): Promise<CredentialResult>;
  /** Ends all connections; running calls end as `cut`. */
  close(): Promise<void>;
}

/** Fields that one kind of call adds to `CallResult`. */
type Extra<R extends CallResult> = Omit<R, keyof CallResult>;
type Meaning<R extends CallResult> = Pick<CallResult, "outcome" | "reason" | "explanation"> & Extra<R>;

interface CallKind<R extends CallResult> {
  readonly call: Call;
  /** Those fields when there is no readable answer. */
  readonly nothing: Extra<R>;
  read(answer: Answer, facts: AnswerFacts, terms: Terms): Meaning<R>;
}

const CHECK: CallKind<CheckResult> = {
  call: "check",
  nothing: { recommendation: null, message: null, rawCode: null },
  read: readCheckAnswer,
};
const REGISTER: CallKind<RegisterResult> = {
  call: "register",
  nothing: { registered: false, message: null },
  read: readRegisterAnswer,
};
const CREDENTIAL: CallKind<CredentialResult> = {
  call: "credential",
  nothing: { state: "failed", credential: null, message: null },
  read: readCredentialAnswer,
};

type Exchanged = Extract<AttemptEvent, { type: "exchanged" }>;

/** One attempt: a result without the count of attempts. */
interface Attempt<R extends CallResult> {
  readonly result: Omit<CallResult, "attempts"> & Extra<R>;
  readonly retryable: boolean;
  /** False when it was refused locally, without a request. */
  readonly made: boolean;
}

export function createClient(options: ClientOptions): Client {
  const { recipe, now, sandbox, random = Math.random } = options;
  const { deadlineMs = 30_000, connectTimeoutMs = 5_000, headersTimeoutMs = 15_000 } = options;
  const pause = options.pause ?? ((ms, signal) => delay(ms, undefined, { signal }));
  const network = options.network ?? PLAIN_NETWORK;
  const { recipeStatus: status = null, answers: accepted = [] } = options;
  const terms: Terms = { recipe: recipe.recipe, status, accepted };
  const connect = sandbox === undefined ? undefined : provenConnector(sandbox, connectTimeoutMs);
  const urls: { [C in Call]?: URL | Refusal } = {};
  const urlOf = (call: Call): URL | Refusal => {
    const { path, host } = ENDPOINTS[call];
    return endpointUrl(host === "base" ? options.baseUrl : options.projectsUrl, path);
  };
  const routes = createRoutes(network, { connectTimeoutMs, headersTimeoutMs }, connect);

  async function run<R extends CallResult>(
    kind: CallKind<R>,
    body: object,
    identity: Identity,
    callOptions: CallOptions,
  ): Promise<Omit<CallResult, "attempts"> & Extra<R> & { attempts: number }> {
    const url = (urls[kind.call] ??= urlOf(kind.call));
    const bytes = Buffer.from(callOptions.body ?? JSON.stringify(body), "utf8");
    const refusal = network.tlsCheckOff ? TLS_CHECK_OFF : url instanceof URL ? tooLarge(bytes) : url;
    if (!(url instanceof URL) || refusal !== null) {
      return { ...local(kind, refusal!).result, attempts: 0 };
    }

    const controller = new AbortController();
    const endsAt = performance.now() + deadlineMs;
    const timer = setTimeout(() => controller.abort(DEADLINE), deadlineMs);
    const cancel = (): void => controller.abort(CANCELLED);
    if (callOptions.signal?.aborted) cancel();
    callOptions.signal?.addEventListener("abort", cancel);
    const listeners = [options.onAttempt, callOptions.onAttempt].filter((each) => each !== undefined);
    const report = (event: AttemptEvent): void => listeners.forEach((listen) => listen(event));
    let announce = callOptions.onFirstByte;
    const onFirstByte = (): void => {
      announce?.();
      announce = undefined;
    };
    try {
      let last: Attempt<R> | null = null;
      for (let attempts = 0; ;) {
        const attempt = await once(
          kind,
          url,
          bytes,
          identity,
          callOptions,
          controller.signal,
          onFirstByte,
          listeners.length === 0 ? null : (seen) => report({ ...seen, attempt: attempts + 1 }),
        );
        if (attempt.made) attempts += 1;
        // A refusal by the service is kept over a later attempt that was not sent.
        if (last === null || last.result.outcome === "not_sent" || attempt.result.outcome !== "not_sent")
          last = attempt;
        const wait = retryDelayMs(kind.call, attempt.result, attempt.retryable, random);
        const done = wait === null || attempts > RETRY_LIMIT || performance.now() + wait >= endsAt;
        if (!done) report({ type: "waiting", attempt: attempts + 1, most: RETRY_LIMIT + 1, ms: wait });
        if (done || !(await waited(pause(wait, controller.signal)))) return { ...last.result, attempts };
      }
    } finally {
      clearTimeout(timer);
      callOptions.signal?.removeEventListener("abort", cancel);
    }
  }

  async function once<R extends CallResult>(
    kind: CallKind<R>,
    url: URL,
    body: Uint8Array,
    identity: Identity,
    { at, turn }: CallOptions,
    signal: AbortSignal,
    onFirstByte: () => void,
    onExchange: ((seen: Omit<Exchanged, "attempt">) => void) | null,
  ): Promise<Attempt<R>> {
    const opened = await routes.to(url);
    if ("reason" in opened) return local(kind, opened);
    const unsigned = { method: "POST", url, headers: REQUEST_HEADERS, body };
    const { headers: signed, signature } = sign(recipe, unsigned, identity, { nowMs: now() }, kind.call);
    const headers = sandbox === undefined ? signed : { ...signed, ...ofSandbox(at, turn?.()) };
    const outgoing = { url, method: "POST", headers, body } as const;
    const exchanged = await exchange(opened, outgoing, signal, onFirstByte);
    onExchange?.({
      type: "exchanged",
      sent: exchanged.kind === "answer" || exchanged.written,
      body: Buffer.from(body).toString("utf8"),
      record: () => recordExchange(kind.call, outgoing, exchanged, { secret: identity.secret, signature }),
    });
    if (exchanged.kind === "failure") {
      const { retryable, ...failure } = readFailure(exchanged, url, kind.call);
      const result = { ...NO_FACTS, ...kind.nothing, ...failure, latencyMs: exchanged.latencyMs };
      return { result, retryable, made: true };
    }
    const facts = readFacts(exchanged.answer, now(), sandbox !== undefined);
    const meaning = kind.read(exchanged.answer, facts, terms);
    return { result: { ...facts, ...meaning, latencyMs: exchanged.latencyMs }, retryable: false, made: true };
  }

  return {
    async check(body, credential, callOptions = {}) {
      return run(CHECK, body, credential, callOptions);
    },
    async register(body, key, callOptions = {}) {
      return run(REGISTER, body, key, callOptions);
    },
    async credential(body, key, callOptions = {}) {
      return run(CREDENTIAL, body, key, callOptions);
    },
    async close() {
      await routes.close();
    },
  };
}

/** Headers that only a sandbox reads. They are not signed. */
function ofSandbox(at: number | undefined, turn: RunTurn | undefined): Record<string, string> {
  return {
    ...(at === undefined ? {} : { [HEADER.virtualTime]: new Date(at).toISOString() }),
    ...(turn === undefined ? {} : { [HEADER.turn]: runTurnText(turn) }),
  };
}

function provenConnector(key: ProofKey, timeoutMs: number): buildConnector.connector {
  return ({ hostname, port }, done) =>
    connectProven(key, { host: hostname, port: Number(port), timeoutMs }, done);
}

function local<R extends CallResult>(kind: CallKind<R>, refusal: Refusal): Attempt<R> {
  const result = { ...NO_FACTS, ...kind.nothing, ...refusal, outcome: "not_sent" as const, latencyMs: null };
  return { result, retryable: false, made: false };
}

function tooLarge(body: Uint8Array): Refusal | null {
  if (body.byteLength <= BODY_LIMIT_BYTES) return null;
  return {
    reason: "body_too_large",
    explanation: `Nothing was sent, because the body has ${body.byteLength} bytes and ${BODY_LIMIT_BYTES} are allowed: shorten its texts.`,
  };
}

async function waited(pause: Promise<unknown>): Promise<boolean> {
  return pause.then(
    () => true,
    () => false,
  );
}
