// Sweeps in the console: prompts for a field and its values, runs the sweep, and shows its chart over Check.

import { createStore } from "zustand/vanilla";
import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import { Fault, usage } from "#src/contract/fault.ts";
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
import { PUBLIC_FIELDS } from "#src/display/mask.ts";
import { nextAround } from "#src/state/list-selection.ts";
import { askBeforeBatch } from "#src/state/live-fence.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { isOpened, vaultLocked, type VaultGate } from "#src/state/vault/vault-lock.ts";
import { liftKeys } from "./checks-state.ts";
import type { Composer } from "./composer.ts";
import { draftProblem } from "./draft-words.ts";

export interface SweepProgress {
  readonly field: string;
  readonly done: number;
  readonly planned: number;
  /** Esc was pressed; it ends with what it has. */
  readonly cancelled: boolean;
}

export interface SweepsState {
  /** The chart, or the progress before it, lies over Check. */
  readonly open: boolean;
  /** Null while none runs. */
  readonly progress: SweepProgress | null;
  /** Of the last one that ended. */
  readonly result: SweepResult | null;
}

const PLACEHOLDER = "a field and its values: amount 1000..500000, or currency UAH,EUR";

/** @param lock asked before real checks are signed; the vault is taken for open without it */
export function createSweeps(
  context: SandboxContext,
  session: Session,
  composer: Composer,
  lock?: VaultGate,
) {
  const { profile } = context;
  const isReal = profile.environment !== "SANDBOX";
  const store = createStore<SweepsState>(() => ({ open: false, progress: null, result: null }));
  let running: { readonly controller: AbortController; readonly ended: Promise<void> } | null = null;
  /** What was asked for last, to be changed. */
  let last: string | null = null;

  const askLine = (initial: string): void =>
    session.ask({
      label: "Sweep",
      initial,
      placeholder: PLACEHOLDER,
      isPublic: namesPublicField,
      onSubmit: (text) => {
        if (text.trim() !== "") take(text.trim());
      },
    });

  const take = (text: string): void => {
    try {
      const { field, values } = readLine(text, isReal ? STEPS.real : STEPS.sandbox, context.now());
      last = text;
      begin(field, values);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      session.say(error.message, "error");
      askLine(text);
    }
  };

  const begin = (field: Field, values: SweepValues): void => {
    const draft = composer.draft();
    // What is wrong with the field itself does not matter: it gets other values.
    if (draft.blocked !== null && draft.blocked.path !== field.path) {
      return session.say(draftProblem(draft)!, "error");
    }
    if (running !== null)
      return session.say(`A sweep runs already; ${session.keyName("sweep.close")} ends it.`, "note");
    if (!isReal) return run(field, values, null);
    void import("#src/actions/check/sweep.ts").then(({ mostSent }) =>
      askBeforeBatch(session, profile, {
        title: "Start the sweep",
        what: `Send up to ${mostSent(values)} real checks with different values of ${field.label}, which the service counts,`,
        yes: "Start",
        typed: profile.name,
        run: () => run(field, values, profile.name),
      }),
    );
  };

  const run = (field: Field, values: SweepValues, confirmed: string | null): void => {
    const controller = new AbortController();
    const ended = work(field, values, confirmed, controller.signal).finally(() => {
      running = null;
      store.setState({ progress: null });
    });
    running = { controller, ended };
  };

  const work = async (
    field: Field,
    values: SweepValues,
    confirmed: string | null,
    signal: AbortSignal,
  ): Promise<void> => {
    if (isReal && lock?.isOpen() === false && !(await isOpened(lock)))
      return session.say(vaultLocked(session.keyName), "error");
    const planned = values.kind === "list" ? values.values.length : values.steps;
    store.setState({ open: true, progress: { field: field.path, done: 0, planned, cancelled: false } });
    const result = await reportFaults(session, async () => {
      const { sweep } = await import("#src/actions/check/sweep.ts");
      const input = {
        request: composer.draft().request,
        project: session.store.getState().project ?? undefined,
        field: field.path,
        values,
        confirmed,
      };
      return sweep(context, input, signal, ({ done, planned: known }) =>
        store.setState(({ progress }) => ({ progress: progress && { ...progress, done, planned: known } })),
      );
    });
    if (result !== null) store.setState({ result });
    // Nothing to look at: the fault was shown.
    else if (store.getState().result === null) store.setState({ open: false });
  };

  return {
    store,
    /** Why nothing can be swept on this profile: it is read-only, and only the sandbox can be asked without sending. */
    get disabled() {
      return isReal ? whyNotSend(profile, liftKeys(session.keyName)) : null;
    },
    /**
     * Asks for a field and its values, and runs the sweep; outside the sandbox after the profile's name was typed.
     * @param field of the last sweep by default
     */
    ask: (field?: string) =>
      askLine((field === undefined ? last : null) ?? proposedLine(field ?? "amount", context.now())),
    /** The same for the next field that has values ready: on the sandbox at once. */
    next() {
      const { result } = store.getState();
      const field = nextAround(PROPOSED_FIELDS, result?.field ?? "", 1) ?? "amount";
      const line = proposedLine(field, context.now());
      if (isReal) askLine(line);
      else take(line);
    },
    /** Ends the one that runs with what it has; false when none does. */
    cancel() {
      if (running === null) return false;
      running.controller.abort();
      store.setState(({ progress }) => ({ progress: progress && { ...progress, cancelled: true } }));
      return true;
    },
    close: () => store.setState({ open: false }),
    /** Resolves when none runs any more. */
    async end() {
      running?.controller.abort();
      await running?.ended;
    },
  };
}

export type Sweeps = ReturnType<typeof createSweeps>;

/** `amount 1000..500000` @throws Fault("usage" | "bad_input") */
function readLine(
  text: string,
  steps: number,
  now: number,
): { readonly field: Field; readonly values: SweepValues } {
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
