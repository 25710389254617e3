// verdict project credential: fetches the credential of a project, with a countdown while it waits.

import {
  fetchCredential,
  type CredentialEvent,
  type CredentialOutcome,
} from "#src/actions/register/fetch-credential.ts";
import { heldCredentials } from "#src/actions/register/held-credentials.ts";
import type { Context } from "#src/app/context.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT, exitOfCall, type ExitCode } from "#src/cli/exit-code.ts";
import { credentialJson } from "#src/cli/json-shapes.ts";
import { formerText } from "#src/cli/vault/vault-entry.ts";
import { projectKey } from "#src/contract/records/project.ts";
import type { CredentialRequest } from "#src/contract/wire/wire.ts";
import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import { shellWord } from "#src/display/shell-word.ts";
import { separatorText } from "#src/display/sign.ts";
import { formatCountdown, formatDuration } from "#src/display/time.ts";
import { isHmacAlgorithm } from "#src/signing/hmac.ts";
import { prepareRescue, rescueCredential } from "./rescue-credential.ts";
import type { Json } from "#src/cli/option-specs.ts";
import type { PROJECT_CREDENTIAL, RESCUE } from "./check-options.ts";

export const credential: CommandRun<typeof PROJECT_CREDENTIAL> = async (invocation) => {
  const { options } = invocation;
  const context = await invocation.context();
  const request: CredentialRequest = {
    merchant_id: options.merchantId,
    risk_level: options.riskLevel,
  };
  return fetchAndReport(invocation, context, request, options.wait);
};

/** Fetches the credential and reports the result; shared with `register --wait`. */
export async function fetchAndReport(
  invocation: Invocation<Json & typeof RESCUE>,
  context: Context,
  request: CredentialRequest,
  wait: boolean,
): Promise<ExitCode> {
  const { options, output, signal } = invocation;
  const rescue = await prepareRescue(invocation);
  const key = projectKey(request.merchant_id, request.risk_level);
  const known = await (await context.projects()).get(context.profile.name, key);
  // Before the wait, which may be long.
  if (wait && known === null) output.note(unregistered(context, key));
  const countdown = await startCountdown(invocation, context);
  let done: CredentialOutcome;
  try {
    done = await fetchCredential(context, { request, wait }, signal, countdown.follow);
  } finally {
    countdown.stop();
  }
  const { result, former, notSaved } = done;
  const saved = notSaved === null || (await rescueCredential(invocation, notSaved, rescue));
  // In another state, an earlier credential may be in the vault.
  const held =
    result.state === "ready"
      ? saved
      : (await heldCredentials(context)).some((entry) => entry.projectKey === key);
  if (options.json) {
    output.json(credentialJson(context.profile.name, key, result, held));
  } else if (result.state === "ready" && saved) {
    const { keyId, projectId, algorithm } = result.credential!;
    const dot = separatorText(output.style.ascii);
    output.line(`Credential of ${safe(request.merchant_id)}/${request.risk_level} is in the vault.`);
    output.line(
      `  ${[`key id ${safe(keyId)}`, `project id ${safe(projectId)}`, safe(algorithm), `secret ${MASK}`].join(dot)}`,
    );
    if (former !== null) output.line(`  ${formerText(former)}`);
    if (!isHmacAlgorithm(algorithm)) output.complain(result.explanation);
  }
  // The rescue of an unsaved credential was reported already.
  if (result.state !== "ready") {
    output.complain(advice(context, request, result, held));
    if (result.state === "not_ready" && !wait && known === null) output.complain(unregistered(context, key));
  }
  if (!saved) return EXIT.notWritten;
  return signal.aborted ? EXIT.interrupted : exitOfCall(result, result.state === "ready");
}

/** For a name that was mistyped, which a service answers like one that is not ready. */
function unregistered({ profile }: Context, key: string): string {
  return `${safe(key)} was not registered from here in the profile ${safe(profile.name)}; "verdict project list" shows what was.`;
}

function advice(
  context: Context,
  request: CredentialRequest,
  result: CredentialOutcome["result"],
  held: boolean,
): string {
  const words = `--merchant-id ${shellWord(request.merchant_id)} --risk-level ${request.risk_level}`;
  if (result.state === "closed" && held) {
    return "The 24 hours in which the credential can be fetched are over; the vault has it already, and checks can be sent.";
  }
  const enter = `verdict vault add --key-id ... --project-id ... ${words}`;
  const byHand =
    context.profile.environment === "SANDBOX"
      ? `"verdict sandbox panel" shows it; pipe its secret into "${enter} --secret-stdin".`
      : `take it from the administrative panel and enter it with "${enter}".`;
  if (result.state === "closed") {
    return `The 24 hours in which the credential can be fetched are over: ${byHand}`;
  }
  if (result.state === "unusable") {
    return `${result.explanation} The command for that: ${enter}`;
  }
  if (result.state === "not_ready") {
    const when = result.retryAfterS === null ? "a few minutes" : `${result.retryAfterS} s`;
    const { explanation, message, outcome, reason } = result;
    const isPlain = message === null || reason === "credential_not_ready";
    const quoted = isPlain ? "" : ` The service says "${safe(message)}".`;
    // The explanation quotes the service.
    const said = outcome === "indeterminate" ? ` ${explanation}` : quoted;
    return `The credential is not ready yet; ask again in ${when}, or add --wait.${said}`;
  }
  return result.explanation;
}

/** Without a terminal, the waiting sentence is repeated after this time. */
const REPEAT_MS = 5 * 60_000;

/** A line on a terminal that counts down to the next request; elsewhere a sentence that is repeated. */
async function startCountdown(
  { output }: Invocation,
  context: Context,
): Promise<{ follow(event: CredentialEvent): void; stop(): void }> {
  const service = await context.service();
  let waiting: Extract<CredentialEvent, { type: "waiting" }> | null = null;
  let saidAt = -Infinity;
  const say = ({ until, closesAt }: Extract<CredentialEvent, { type: "waiting" }>): void => {
    if (output.showsProgress || performance.now() - saidAt < REPEAT_MS) return;
    saidAt = performance.now();
    const now = service.now();
    const closes = closesAt === null ? "" : `; its window closes in ${formatDuration(closesAt - now)}`;
    output.note(`Waiting ${formatDuration(until - now)} before the credential is asked for${closes}.`);
  };
  const draw = (): void => {
    if (waiting === null) return;
    const now = service.now();
    const closes =
      waiting.closesAt === null ? "" : `, window closes in ${formatCountdown(waiting.closesAt - now)}`;
    output.progress(`Fetching the credential in ${formatCountdown(waiting.until - now)}${closes}`);
  };
  const timer = setInterval(draw, 1000);
  timer.unref();
  let said: string | null = null;
  let last: CredentialOutcome["result"] | null = null;
  return {
    follow(event) {
      if (event.type === "answered") last = event.result;
      waiting = event.type === "waiting" ? event : null;
      // The final result is reported by the caller.
      if (waiting !== null && last !== null && last.httpStatus !== 404) {
        const strange = last.explanation;
        if (strange !== said) output.complain(strange);
        said = strange;
      }
      if (waiting !== null) say(waiting);
      if (waiting === null) output.progress(event.type === "asking" ? "Asking for the credential" : null);
      else draw();
    },
    stop() {
      clearInterval(timer);
      output.progress(null);
    },
  };
}
