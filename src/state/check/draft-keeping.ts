// Keeps what stands in the form of a check over the end of the console, and brings it back at the next start.

import type { Context } from "#src/app/context.ts";
import { setPath } from "#src/contract/fields/body-path.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { KeptDraft } from "#src/contract/records/kept-draft.ts";
import { touched } from "#src/state/profiles/switching.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, type After } from "#src/state/timers.ts";
import { isMadeOrder, type Composer } from "./composer.ts";
import { composition, type Composition, type Draft } from "./draft.ts";

export interface DraftKeeping {
  /** Brings back what was left in this profile. Never rejects for a fault, with a toast. */
  restore(): Promise<void>;
  /** Keeps what is not yet; never rejects. */
  end(): Promise<void>;
}

/** Nothing is written before the form has stood still for as long. */
const CALM_MS = 1_000;

const ORDER = "order_id";

export function createDraftKeeping(
  context: Context,
  session: Session,
  composer: Composer,
  after: After = afterTimeout,
): DraftKeeping {
  const { name, environment } = context.profile;
  const begun = composer.store.getState();
  let cancel: (() => void) | null = null;

  const write = async (): Promise<void> => {
    cancel?.();
    cancel = null;
    const left = touched(composer, begun);
    const draft = left === null ? null : keptDraft(left, composer.draft());
    // A convenience: a full disk or a home that cannot be written is reported where something is lost by it.
    await context
      .draftMemory()
      .then((memory) => memory.keep(name, draft))
      .catch(() => undefined);
  };

  const stop = composer.store.subscribe(({ fields, base }, before) => {
    if (fields === before.fields && base === before.base) return;
    cancel?.();
    cancel = after(CALM_MS, () => void write());
  });

  return {
    async restore() {
      const draft = await reportFaults(session, async () => (await context.draftMemory()).find(name));
      if (draft === null) return;
      const { request, payload, leftOut } = draft;
      const key = session.keyName("check.undoLoad");
      // A key that was typed ahead must send nothing that counts, nor may what was typed ahead be lost.
      if (environment === "LIVE" || touched(composer, begun) !== null) {
        composer.store.setState({ before: composition(request, null, payload) });
        return session.say(`What you typed last time is kept; ${key} brings it back.`, "note");
      }
      if (payload === null) composer.loadRequest(request, { from: null });
      else composer.loadPayload({ ...payload, request });
      if (request.order_id === undefined) composer.freshOrder();
      const without = leftOut.length === 0 ? "" : `, but for ${leftOut.join(", ")}, which was wrong`;
      session.say(`The form is as you left it${without}; ${key} starts afresh.`, "note");
    },
    async end() {
      stop();
      if (cancel !== null) await write();
    },
  };
}

/** What may be kept of a composition: nothing that the form does not accept. Null where that is not a payment any more. */
export function keptDraft({ payload, sent }: Composition, { request, findings }: Draft): KeptDraft | null {
  const wrong = CHECK_FIELDS.filter(({ path }) => findings.get(path)?.severity === "error");
  const errors = [...findings.values()].filter(({ severity }) => severity === "error");
  if (errors.length > wrong.length) return null;
  // One that was made here, or sent already, is another one the next time.
  const { order_id: order } = request;
  const stale = order !== undefined && (isMadeOrder(order) || order === sent?.orderId);
  let body: Record<string, unknown> = { ...request };
  for (const path of [...wrong.map((field) => field.path), ...(stale ? [ORDER] : [])]) {
    body = setPath(body, path, undefined);
  }
  if (findCardData(body) !== null) return null;
  return { request: body, payload, leftOut: wrong.map(({ label }) => label) };
}
