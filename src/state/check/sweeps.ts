// Sweeps in the console: prompts for a field and its values, runs the sweep, and shows its chart over Check.

import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import { usage } from "#src/contract/fault.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { whyNotSend } from "#src/contract/records/profile.ts";
import {
  PROPOSED_FIELDS,
  proposedValues,
  readSweepValues,
  STEPS,
  sweptField,
} from "#src/actions/check/sweep-values.ts";
import type { SweepResult, SweepValues } from "#src/contract/records/sweep.ts";
import { placeText } from "#src/display/count.ts";
import { PUBLIC_FIELDS } from "#src/display/mask.ts";
import { sweepLines } from "#src/display/sweep-lines.ts";
import { nextAround } from "#src/state/list-selection.ts";
import { agreeToBatch } from "#src/state/live-fence.ts";
import type { Session } from "#src/state/session.ts";
import { createTrial } from "#src/state/trial.ts";
import { isOpened, vaultLocked, type VaultGate } from "#src/state/vault/vault-lock.ts";
import { liftKeys } from "./checks-state.ts";
import type { Composer } from "./composer.ts";
import { draftProblem } from "./draft-words.ts";

export interface SweepProgress {
  readonly field: string;
  readonly done: number;
  readonly planned: number;
}

interface SweepPlan {
  readonly field: Field;
  readonly values: SweepValues;
}

/** @param lock asked before real checks are signed; the vault is taken for open without it */
export function createSweeps(
  context: SandboxContext,
  session: Session,
  composer: Composer,
  lock?: VaultGate,
) {
  const { profile } = context;
  const isReal = profile.environment !== "SANDBOX";

  const agree = async ({ field, values }: SweepPlan): Promise<boolean> => {
    const draft = composer.draft();
    const problem = draftProblem(draft);
    // What is wrong with the field itself does not matter: it gets other values.
    if (problem !== null && draft.blocked?.path !== field.path) {
      session.say(problem, "error");
      return false;
    }
    if (!isReal) return true;
    const { mostSent } = await import("#src/actions/check/sweep.ts");
    const agreed = await agreeToBatch(session, profile, {
      what: `Send up to ${mostSent(values)} real checks with different values of ${field.label}, which the service counts,`,
      yes: "start",
      typed: profile.name,
    });
    if (!agreed || (await isOpened(lock))) return agreed;
    session.say(vaultLocked(session.keyName), "error");
    return false;
  };

  const { ask, start, last, ...trial } = createTrial<SweepPlan, SweepProgress, SweepResult>(session, {
    label: "Sweep",
    screen: "check",
    placeholder: "a field and its values: amount 1000..500000, or currency UAH,EUR",
    isPublic: namesPublicField,
    underWay: `A sweep runs already; ${session.keyName("page.close")} ends it.`,
    read: (line) => readLine(line, isReal ? STEPS.real : STEPS.sandbox, context.now()),
    agree,
    begun: ({ field, values }) => {
      const planned = values.kind === "list" ? values.values.length : values.steps;
      return { field: field.path, done: 0, planned };
    },
    async run({ field: { path: field }, values }, signal, onProgress) {
      const { sweep } = await import("#src/actions/check/sweep.ts");
      const { project } = session.store.getState();
      const { request } = composer.draft();
      const confirmed = isReal ? profile.name : null;
      const input = { request, project: project ?? undefined, field, values, confirmed };
      return sweep(context, input, signal, ({ done, planned }) => onProgress({ field, done, planned }));
    },
    told({ field, done, planned }, cancelled) {
      // Narrowing down the changes takes more values than planned.
      const tried = done < planned ? placeText(done, planned) : done;
      const end = cancelled ? "ending" : `${session.keyName("page.close")} stops with the results so far`;
      const share = planned === 0 ? 0 : Math.min(1, done / planned);
      return { text: `Trying values of ${field}: ${tried}; ${end}`, share };
    },
    lines: (result, { width, ascii, audience }) =>
      sweepLines(result, { width, ascii, unit: profile.amountUnit, masked: audience.isThere }),
    next: () => next(),
  });

  const next = (): void => {
    const { result } = trial.store.getState();
    const field = nextAround(PROPOSED_FIELDS, result?.field ?? "", 1) ?? "amount";
    void (isReal ? ask : start)(proposedLine(field, context.now()));
  };

  return {
    ...trial,
    /** Why nothing can be swept on this profile: it is read-only, and only the sandbox can be asked without sending. */
    get disabled() {
      return isReal ? whyNotSend(profile, liftKeys(session.keyName)) : null;
    },
    /**
     * Asks for a field and its values, and runs the sweep; outside the sandbox after the profile's name was typed.
     * @param field of the last sweep by default
     */
    ask: (field?: string) =>
      void ask((field === undefined ? last() : null) ?? proposedLine(field ?? "amount", context.now())),
    /** The same for the next field that has values ready: on the sandbox at once. */
    next,
  };
}

export type Sweeps = ReturnType<typeof createSweeps>;

/** `amount 1000..500000` @throws Fault("usage" | "bad_input") */
function readLine(text: string, steps: number, now: number): SweepPlan {
  const [name = "", ...rest] = text.split(/\s+/);
  const field = sweptField(name);
  // A field alone has the values that are typical of it.
  const words = rest.join(" ") || proposedValues(field.path, now);
  if (!words) throw usage`Add the values of ${field.label}, such as 1000..500000 or UAH,EUR.`;
  return { field, values: readSweepValues(field, words, steps) };
}

function namesPublicField(text: string): boolean {
  const [name = ""] = text.trimStart().split(/\s/);
  const named = CHECK_FIELDS.filter(({ path }) => path === name || path.split(".").at(-1) === name);
  return named.some(({ path }) => PUBLIC_FIELDS.has(path));
}

function proposedLine(path: string, now: number): string {
  return `${path.split(".").at(-1)} ${proposedValues(path, now) ?? ""}`;
}
