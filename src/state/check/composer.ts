// The composer: one text a field, and the request they make up. What was loaded or pasted is sent as it is where no text has changed it.

import { createStore, type StoreApi } from "zustand/vanilla";
import type { ActionContext } from "#src/actions/action-context.ts";
import { Fault } from "#src/contract/fault.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import { readPayload } from "#src/contract/fields/payload.ts";
import { getPath, showField } from "#src/contract/fields/validate.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { SavedPayload } from "#src/contract/records/saved-payload.ts";
import { callsCurl, parseCurl } from "#src/contract/text/curl-command.ts";
import { readShellCommand } from "#src/contract/text/shell-command.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { keyName } from "#src/display/key-name.ts";
import { verdictKind } from "#src/display/verdict.ts";
import type { Session } from "#src/state/session.ts";
import { applyKey, editText, insertText, type TextEdit } from "#src/state/text-edit.ts";
import type { Checks } from "./checks.ts";
import { draftProblem } from "./draft-words.ts";
import {
  draftText,
  readDraft,
  textWithoutOrder,
  type Composition,
  type Draft,
  type PayloadFacts,
  type SentRequest,
} from "./draft.ts";
import { preparedPayment } from "./prepared-payment.ts";

/** The send button, or the dotted path of a field. */
export type Focus = "send" | (string & {});

export interface ComposerState extends Composition {
  readonly focus: Focus;
  /** What stood here before the last load or paste, to bring it back; null when there is nothing to. */
  readonly before: Composition | null;
}

export interface Composer {
  readonly store: StoreApi<ComposerState>;
  /** The request that the fields make up now, and what is to be said about it. */
  draft(): Draft;
  toRequest(): CheckRequest;
  /** Moves the focus through the fields and the send button, round and round. */
  move(step: 1 | -1): void;
  focus(on: Focus): void;
  /** Text for the focused field; false when that is the send button. */
  type(text: string): boolean;
  /** A key for the focused field; false when it is no editing key. */
  key(name: string): boolean;
  /** Pasted text: one edit of the focused field, or a whole payload on the send button. */
  paste(text: string): void;
  /** A whole payload as JSON, or as the body of a curl command; what must not be sent is refused with its sentence as a toast. */
  pasteJson(text: string): boolean;
  /** What is composed, as JSON for an editor; null when it holds card data, which is said. */
  toText(): string | null;
  /** The JSON that an editor gave back; false when it must not be sent: nothing changes then, and the reason is said. */
  takeText(text: string): boolean;
  /** Fills the composer with a saved payload. */
  loadPayload(payload: SavedPayload): void;
  /**
   * Fills the composer with a request.
   * @param origin.from row of the history that it comes from; null for none
   * @param origin.repeats the same row where it got no verdict: sending again is another attempt
   */
  loadRequest(
    request: CheckRequest,
    origin: { readonly from: string | null; readonly repeats?: string | null },
  ): void;
  /** Brings back what stood here before the last load or paste; false when there is nothing. */
  undoLoad(): boolean;
  /** Puts a fresh order id into its field. */
  freshOrder(): void;
  /** Puts a fresh order id into its field that begins with a word which forces an answer of the sandbox. */
  magicOrder(prefix: string): void;
  /** Puts the order id of the last check back; false when there is none. */
  sameOrder(): boolean;
  /**
   * Sends the request unless an error is in the way; on a live profile, too, which says so all around. Never rejects.
   */
  send(): Promise<void>;
}

const PATHS = CHECK_FIELDS.map((field) => field.path);
const FOCUS_ORDER: readonly Focus[] = [...PATHS, "send"];
const ORDER = "order_id";

export function createComposer(context: ActionContext, session: Session, checks: Checks): Composer {
  const newOrderId = createOrderIds(() => context.now());
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
    focus: "send",
    before: null,
  }));

  const draft = (): Draft =>
    readDraft(store.getState(), {
      now: context.now(),
      amountUnit: context.profile.amountUnit,
      numbering: context.profile.currencyNumbering,
    });
  const setField = (path: string, edit: TextEdit): void =>
    store.setState(({ fields }) => ({ fields: { ...fields, [path]: edit } }));
  /** The edit of the focused field; null on the send button. */
  const focused = (): { path: string; edit: TextEdit } | null => {
    const { focus, fields } = store.getState();
    const edit = fields[focus];
    return edit === undefined ? null : { path: focus, edit };
  };
  const load = (next: Composition): void => {
    store.setState(({ fields, base, sent, payload }) => ({
      ...next,
      focus: "send",
      before: { fields, base, sent, payload },
    }));
    checks.clearShown();
  };

  /** Loads JSON, which `textOf` may find to be none; what must not be sent is refused with its sentence, `after` it what can be done. */
  const loadJson = (textOf: () => string, source: string, done: string, after: string = ""): boolean => {
    try {
      const payload = readPayload(
        new TextEncoder().encode(textOf()),
        source,
        [],
        context.now(),
        context.profile.currencyNumbering,
      );
      const { request, name, expect, tags } = payload;
      const facts =
        name === null && expect === null && tags.length === 0 ? null : { name: name ?? "", expect, tags };
      load(composition(request, null, facts));
      session.say(done.replace("%", name === null ? "" : ` "${name}"`), "done");
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      session.say(`${error.message}${after}`, "error");
      return false;
    }
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
    const answered = entry.result?.outcome === "answered";
    store.setState((state) => ({
      sent: {
        entryId: entry.id,
        text: JSON.stringify(request),
        orderId: request.order_id ?? null,
        answered,
        verdict: entry.result?.recommendation ?? null,
      },
      // Without a verdict the same payment is tried again, under the same order id.
      fields:
        answered && request.order_id !== undefined && state.fields[ORDER]?.text === request.order_id
          ? { ...state.fields, [ORDER]: editText(newOrderId()) }
          : state.fields,
    }));
  };

  const composer: Composer = {
    store,
    draft,
    toRequest: () => draft().request,
    move(step) {
      const at = FOCUS_ORDER.indexOf(store.getState().focus);
      const next = (at + step + FOCUS_ORDER.length) % FOCUS_ORDER.length;
      store.setState({ focus: FOCUS_ORDER[next]! });
    },
    focus: (on) => store.setState({ focus: on }),
    type(text) {
      const target = focused();
      if (target === null) return false;
      setField(target.path, insertText(target.edit, text));
      return true;
    },
    key(name) {
      const target = focused();
      const edit = target === null ? null : applyKey(target.edit, name);
      if (target === null || edit === null) return false;
      if (edit !== target.edit) setField(target.path, edit);
      return true;
    },
    paste(text) {
      if (!composer.type(text)) composer.pasteJson(text);
    },
    pasteJson(text) {
      const isCurl = callsCurl(readShellCommand(text.trimStart(), 0).words);
      const [source, what] = isCurl
        ? ["The body of the curl command", "body of the curl command"]
        : ["Pasted text", "pasted payload"];
      const done = `The ${what}% is ready to send; ${keyName("check.undoLoad", "u")} brings the previous one back.`;
      return loadJson(() => (isCurl ? parseCurl(text.trimStart()) : text), source, done);
    },
    toText() {
      const text = draftText(store.getState(), draft());
      if ("text" in text) return text.text;
      session.say(text.message, "error");
      return null;
    },
    takeText: (text) =>
      loadJson(
        () => text,
        "The text",
        `The edited payload% is ready to send; ${keyName("check.undoLoad", "u")} brings the previous one back.`,
        ` ${keyName("check.edit", "e")} opens what you wrote again.`,
      ),
    loadPayload: ({ request, ...facts }) => load(composition(request, null, facts)),
    loadRequest(request, { from, repeats = null }) {
      const loaded = composition(request, null);
      load(from === null ? loaded : { ...loaded, sent: sentAs(loaded, from, repeats === null) });
    },
    undoLoad() {
      const { before } = store.getState();
      if (before === null) return false;
      store.setState({ ...before, before: null });
      checks.clearShown();
      return true;
    },
    freshOrder: () => setField(ORDER, editText(newOrderId())),
    magicOrder(prefix) {
      setField(ORDER, editText(`${prefix}-${newOrderId()}`));
      store.setState({ focus: "send" });
      checks.clearShown();
    },
    sameOrder() {
      const orderId = store.getState().sent?.orderId ?? null;
      if (orderId === null) return false;
      setField(ORDER, editText(orderId));
      return true;
    },
    async send() {
      const ready = draft();
      if (ready.blocked !== null) session.say(draftProblem(ready)!, "error");
      else await post(ready);
    },
  };
  return composer;
}

/** The composition that shows a request. */
function composition(
  request: CheckRequest,
  sent: SentRequest | null,
  payload: PayloadFacts | null = null,
): Composition {
  const fields = CHECK_FIELDS.map((field): [string, TextEdit] => [
    field.path,
    editText(showField(field, getPath(request, field.path))),
  ]);
  return { fields: Object.fromEntries(fields), base: request, sent, payload };
}

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

/** Order ids grow with time, in steps of this: seven characters until the year 2217. */
const ORDER_STEP_MS = 100;

/** Makes order ids `o-<time>` that sort by time; no two are the same, however quickly they are asked for. */
export function createOrderIds(now: () => Milliseconds): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(now() / ORDER_STEP_MS));
    return `o-${last.toString(36).padStart(7, "0")}`;
  };
}
