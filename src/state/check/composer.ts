// The composer: one text per field, and the request they form. A loaded value is sent unchanged unless its text was edited.

import { createStore } from "zustand/vanilla";
import type { ActionContext } from "#src/actions/action-context.ts";
import { SAMPLE_PAYER } from "#src/actions/check/sample-payer.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { showField } from "#src/contract/fields/validate.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { SavedPayload } from "#src/contract/records/saved-payload.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { safe } from "#src/display/safe.ts";
import { verdictKind } from "#src/display/verdict.ts";
import { focusedField, SUBMIT, type EntryForm, type TextField } from "#src/state/entry-form.ts";
import { formVerbs } from "#src/state/form-verbs.ts";
import type { Session } from "#src/state/session.ts";
import { editText } from "#src/display/text-edit.ts";
import type { Checks } from "./checks.ts";
import { createComposedJson } from "./composed-json.ts";
import { draftProblem, liveDoubts } from "./draft-words.ts";
import {
  composition,
  readDraft,
  textWithoutOrder,
  type Composition,
  type Draft,
  type Prediction,
  type SentRequest,
} from "./draft.ts";

/** The send button, the history, or the dotted path of a field. */
export type Focus = typeof SUBMIT | typeof HISTORY | (string & {});

/** The focus on the list of the checks sent. */
export const HISTORY = "history";

/** True where letters are commands: no field is edited, and none is being chosen. */
export function takesCommands(focus: Focus): boolean {
  return focus === SUBMIT || focus === HISTORY;
}

export interface ComposerState extends Composition {
  readonly focus: Focus;
  /** What stood here before the last load or paste, to bring it back; null when there is nothing to. */
  readonly before: Composition | null;
  /** What the sandbox was asked last without sending; null before. */
  readonly prediction: Prediction | null;
}

/** Where a request comes from. */
interface RequestOrigin {
  /** Row of the history; null for none. */
  readonly from: string | null;
  /** The same row where it got no verdict: sending again is another attempt. */
  readonly repeats?: string | null;
  /** Name of the profile, where it is another one. */
  readonly profile?: string | null;
}

/** Findings are about the whole payment: the draft has them. */
const FORM_FIELDS = CHECK_FIELDS.map(({ path, label, help }): TextField => ({
  kind: "text",
  path,
  label,
  help,
  remark: () => null,
}));
const ORDER = "order_id";
const CURRENCY = CHECK_FIELDS.find(({ path }) => path === "currency")!;

export function createComposer(context: ActionContext, session: Session, checks: Checks) {
  const newOrderId = createOrderIds(() => context.now(), context.newId());
  const { environment } = context.profile;
  const isSandbox = environment === "SANDBOX";
  // A made-up payment must never reach a service that counts it.
  const prepared: CheckRequest = {
    ...(isSandbox ? preparedPayment(context.now()) : { operation: "payment" }),
    order_id: newOrderId(),
  };
  const store = createStore<ComposerState>(() => ({
    ...composition(prepared, null),
    // Letters and digits are commands there, and the screen names them.
    focus: SUBMIT,
    before: null,
    prediction: null,
  }));

  const draft = (): Draft =>
    readDraft(store.getState(), {
      now: context.now(),
      amountUnit: context.profile.amountUnit,
      numbering: context.profile.currencyNumbering,
      strict: isSandbox,
    });
  const setField = (path: string, text: string): void =>
    store.setState(({ fields }) => ({ fields: { ...fields, [path]: editText(text) } }));
  const form = (): EntryForm => {
    const { focus, fields } = store.getState();
    return { fields: FORM_FIELDS, focus, texts: fields, choices: {}, secrets: {}, tried: false };
  };
  // Sending and leaving are the screen's, which asks first.
  const { move, focus, key, enter, leave } = formVerbs({
    session,
    form,
    change: ({ focus: on, texts }) => store.setState({ focus: on, fields: texts }),
    close: () => false,
    send: () => Promise.resolve(),
  });
  const load = (next: Composition): void => {
    store.setState(({ fields, base, sent, payload, origin }) => ({
      ...next,
      focus: SUBMIT,
      before: { fields, base, sent, payload, origin },
    }));
    checks.clearShown();
  };

  /** Says so when a payload that is sent as it was saved gets another verdict than the expected one. */
  const compareExpected = (request: CheckRequest, entry: HistoryEntry): void => {
    const { base, payload } = store.getState();
    const kind = verdictKind(entry.result);
    if (payload === null || payload.expect === null || kind === payload.expect) return;
    const saved = readDraft(composition(base, null), { now: 0, amountUnit: "minor" }).request;
    if (textWithoutOrder(saved) !== textWithoutOrder(request)) return;
    session.say(`Expected ${payload.expect}; the verdict is ${kind}.`, "error");
  };

  const post = async ({ request, warnings, repeats }: Draft): Promise<void> => {
    const entry = await checks.send(request, warnings, repeats?.entryId ?? null);
    if (entry === null) return;
    compareExpected(request, entry);
    const outcome = entry.result?.outcome;
    const answered = outcome === "answered";
    const sent = {
      entryId: entry.id,
      text: JSON.stringify(request),
      orderId: request.order_id ?? null,
      answered,
      verdict: entry.result?.recommendation ?? null,
    };
    store.setState((state) => ({
      // What was not sent is no attempt.
      sent: outcome === "not_sent" ? state.sent : sent,
      origin: null,
      // Without a verdict the same payment is tried again, under the same order id.
      fields:
        answered && request.order_id !== undefined && state.fields[ORDER]?.text === request.order_id
          ? { ...state.fields, [ORDER]: editText(newOrderId()) }
          : state.fields,
    }));
  };

  // What was sent belongs to the project before: for another one it is no further attempt of the same payment.
  session.store.subscribe(({ project }, before) => {
    if (before.project === null || project === before.project) return;
    if (draft().repeats !== null) composer.freshOrder();
    store.setState({ sent: null });
  });

  // The keys that answer are not those of the history.
  checks.store.subscribe(({ question }, before) => {
    if (question !== null && question !== before.question && store.getState().focus === HISTORY)
      store.setState({ focus: SUBMIT });
  });

  const composer = {
    ...createComposedJson(context, session, { store, draft, load }),
    move,
    focus,
    key,
    enter,
    leave,
    store,
    /** The request that the fields make up now, and the findings about it. */
    draft,
    toRequest: () => draft().request,
    /** Pasted text: one edit of the focused field, or a whole payload on the send button. */
    paste(text: string) {
      if (focusedField(form()) === null) composer.pasteJson(text);
      else enter(text);
    },
    /** Fills the composer with a saved payload. */
    loadPayload: ({ request, ...facts }: SavedPayload) => load(composition(request, null, facts)),
    /** Fills the composer with a request. */
    loadRequest(request: CheckRequest, { from, repeats = null, profile = null }: RequestOrigin) {
      const loaded = composition(request, null, null, profile);
      load(from === null ? loaded : { ...loaded, sent: sentAs(loaded, from, repeats === null) });
    },
    /** Brings back what stood here before the last load or paste; false when there is nothing. */
    undoLoad() {
      const { before } = store.getState();
      if (before === null) return false;
      store.setState({ ...before, before: null });
      checks.clearShown();
      return true;
    },
    /** Sets the currency of a project, unless the user or a payload chose another one; false where nothing changes. */
    takeCurrency(former: number | null, currency: number | null) {
      if (former === null || currency === null || former === currency) return false;
      if (store.getState().payload !== null || draft().request.currency !== former) return false;
      setField(CURRENCY.path, showField(CURRENCY, currency));
      return true;
    },
    /** Puts a fresh order id into its field. */
    freshOrder: () => setField(ORDER, newOrderId()),
    /** Puts a fresh order id into its field that begins with a word which forces an answer of the sandbox. */
    magicOrder(prefix: string) {
      setField(ORDER, `${prefix}-${newOrderId()}`);
      store.setState({ focus: SUBMIT });
      checks.clearShown();
    },
    /** Puts the order id of the last check back; false when there is none. */
    sameOrder() {
      const orderId = store.getState().sent?.orderId ?? null;
      if (orderId === null) return false;
      setField(ORDER, orderId);
      return true;
    },
    /** What to ask about before it is sent, a sentence each; nothing on the sandbox. */
    doubts() {
      if (isSandbox) return [];
      const { origin } = store.getState();
      const foreign =
        origin === null ? [] : [`This payment comes from the profile ${safe(origin, { max: 60 })}.`];
      return environment === "LIVE" ? [...foreign, ...liveDoubts(draft())] : foreign;
    },
    /**
     * Sends the request unless an error is in the way; on a live profile, too, which says so all around. The focus goes to
     * the button, so that a question about the answer is answered and not typed into. Never rejects.
     */
    async send() {
      const ready = draft();
      if (ready.blocked !== null) session.say(draftProblem(ready)!, "error");
      else {
        store.setState({ focus: SUBMIT });
        await post(ready);
      }
    },
  };
  return composer;
}

export type Composer = ReturnType<typeof createComposer>;

function sentAs(loaded: Composition, entryId: string, answered: boolean): SentRequest {
  // Compared with what the fields make up, in their order of keys.
  const { request } = readDraft(loaded, { now: 0, amountUnit: "minor" });
  return {
    entryId,
    text: JSON.stringify(request),
    orderId: request.order_id ?? null,
    answered,
    verdict: null,
  };
}

/** Pairs of letters and digits. Prime to 36, so that all digits of an id count. */
const SESSIONS = 36 ** 2 - 1;

/** True for an order id of `createOrderIds`: nobody chose it. */
export function isMadeOrder(orderId: string): boolean {
  return /^o-[\da-z]{8}$/.test(orderId);
}

/**
 * Makes order ids `o-<seconds><session>` that sort by time, six characters and two. No two are the same, however quickly
 * they are asked for; two consoles at one home would have to agree by chance in letters and second.
 * @param sessionId a random id of this console
 */
export function createOrderIds(now: () => Milliseconds, sessionId: string): () => string {
  const session = (parseInt(sessionId.slice(-6), 36) % SESSIONS).toString(36).padStart(2, "0");
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(now() / 1_000));
    return `o-${last.toString(36).padStart(6, "0")}${session}`;
  };
}

/** A fictitious payment without an order id; every field is plausible, and the card is valid for years. */
function preparedPayment(now: Milliseconds): CheckRequest {
  return {
    operation: "payment",
    amount: 12_000,
    currency: 980,
    description: "Order in the demo shop",
    terminal_id: "web-1",
    payer: SAMPLE_PAYER.payer,
    card: {
      ...SAMPLE_PAYER.card,
      expiration_year: (new Date(now).getUTCFullYear() + 3) % 100,
    },
  };
}
