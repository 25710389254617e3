// The form as rows: fields under the headings of their groups, the send button, and a message about the focus. Pure.

import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { Field, Finding } from "#src/contract/fields/field.ts";
import { withOthers } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { verdictSpan } from "#src/display/verdict.ts";
import { HISTORY, takesCommands, type ComposerState, type Focus } from "#src/state/check/composer.ts";
import { SUBMIT } from "#src/state/entry-form.ts";
import { draftProblem, missingFields } from "#src/state/check/draft-words.ts";
import type { Draft } from "#src/state/check/draft.ts";
import { JUMP } from "#src/keys/form-commands.ts";
import { fieldSpans } from "#src/ui/field-line.tsx";
import { clip, fit, widthOf, window, wrap, clipLines } from "#src/ui/fit.ts";
import { buttonText, jumpRow } from "#src/ui/form-view.ts";
import type { Span } from "#src/ui/line.tsx";
import { AXIS, type Row, fillRows } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

export interface ComposeInput {
  readonly composer: ComposerState;
  readonly draft: Draft;
  /** A check is under way. */
  readonly sending: boolean;
  /** A question is open, and comes first. */
  readonly asked?: boolean;
  /** The service is real, not the sandbox. */
  readonly live?: boolean;
  /** Why nothing can be sent regardless of the fields; null otherwise. */
  readonly lack: string | null;
  /** The vault is locked: sending asks for its passphrase. */
  readonly locked: boolean;
  readonly width: number;
  readonly height: number;
  /** First row of the form that was visible last; undefined at the beginning. */
  readonly from: number | undefined;
}

export interface ComposeRows {
  readonly rows: readonly Row[];
  /** First visible row of the form. */
  readonly from: number;
  /** Rows of the form above and below the visible ones. */
  readonly above: number;
  readonly below: number;
}

/** One field, or more that have one meaning. */
interface FieldRow {
  readonly label: string;
  readonly group: string;
  readonly fields: readonly Field[];
}

/** Month and year. */
const EXPIRY = CHECK_FIELDS.filter(({ path }) => path.startsWith("card.expiration_"));

const FORM: readonly FieldRow[] = CHECK_FIELDS.filter((field) => !EXPIRY.slice(1).includes(field)).map(
  (field) =>
    field === EXPIRY[0]
      ? { label: "Expiry", group: field.group, fields: EXPIRY }
      : { label: field.label, group: field.group, fields: [field] },
);
/** What is sent is never out of sight on the button: amount and currency above all. */
const CURRENCY_AT = FORM.findIndex(({ fields }) => fields[0]!.path === "currency");
/** The same with a blank row between the groups. */
const AIRY_FORM: readonly (FieldRow | null)[] = FORM.flatMap((row, index) =>
  index > 0 && row.group !== FORM[index - 1]!.group ? [null, row] : [row],
);
/** Most rows of a message below the button, and those that are its own whatever it says, so that no field moves. */
const MESSAGE_MOST = 3;
const MESSAGE_LEAST = 2;
/** Width from which such messages are shorter. */
const WIDE = 60;
/** Rows of the whole form with its button and a message. */
export const FORM_ROWS = FORM.length + 1 + MESSAGE_LEAST;
const LABEL_WIDTH = Math.max(...FORM.map(({ label }) => label.length)) + 1;
const BLANK: Row = [{ text: " " }];
/** Columns beside label and value: the pointer with its blank, and a blank behind the label. */
const BESIDE = AXIS + 1;

export function composeRows(input: ComposeInput, theme: Theme): ComposeRows {
  const { composer, width, height, from } = input;
  const isShort = height < 12 || (width >= WIDE && height <= FORM_ROWS);
  const most = height < 6 ? 1 : isShort ? 2 : MESSAGE_MOST;
  // With fewer rows the message stands above the button, which keeps its row.
  const isRoomy = height > FORM.length + most;
  const isJumping = composer.focus === JUMP;
  const messageRows = Math.min(most, Math.max(MESSAGE_LEAST, height - 1 - FORM.length));
  const message = messageLines(input, theme, width, messageRows);
  const formHeight = Math.max(1, height - messageRows - 1);
  const rows = formHeight >= AIRY_FORM.length ? AIRY_FORM : FORM;
  const at = rows.findIndex((row) => row?.fields.some(({ path }) => path === composer.focus) === true);
  // On the button the form does not scroll, unless amount and currency would not be seen.
  const top = takesCommands(composer.focus)
    ? Math.max(CURRENCY_AT + 1 - formHeight, Math.min(from ?? 0, CURRENCY_AT - 1))
    : (from ?? 0);
  const visible = window(rows.length, formHeight, at < 0 ? top : at, top);

  const form = rows.slice(visible.from, visible.to).map((row): Row => {
    if (row === null) return BLANK;
    const drawn = formRow(row, input, theme);
    return isJumping ? jumpRow(drawn, CHECK_FIELDS.indexOf(row.fields[0]!)) : drawn;
  });
  const button = buttonRow(input, theme);
  const send = isJumping ? jumpRow(button, CHECK_FIELDS.length) : button;
  return {
    rows: isRoomy
      ? [...form, send, ...message]
      : [...fillRows(form, width, height - 1 - message.length), ...message, send],
    from: visible.from,
    above: visible.from,
    below: rows.length - visible.to,
  };
}

/** A note with less room is reduced to its sign. */
const SENTENCE_LEAST = 16;
/** Fewest columns of a value before another one. */
const PART_LEAST = 2;
const SLASH = "/";

/** Label and values first; the note gets the rest of the row, and ends at its edge. */
function formRow(
  { label, fields }: FieldRow,
  { composer, draft, width }: ComposeInput,
  theme: Theme,
): Span[] {
  const room = Math.max(0, width - LABEL_WIDTH - BESIDE);
  const selected = fields.some(({ path }) => path === composer.focus);
  const isEmpty = !selected && fields.every(({ path }) => composer.fields[path]!.text === "");
  const drawn = isEmpty ? fields.slice(0, 1) : fields;
  // One column for the cursor behind the text, or two where it is a sign.
  const typed = drawn.map(({ path }) => {
    const cursor = composer.focus === path ? (theme.color ? 1 : 2) : 0;
    return widthOf(safe(composer.fields[path]!.text, { max: room + 1 })) + cursor;
  });
  const parts = typed.slice(0, -1).map((each) => Math.min(Math.max(each, PART_LEAST), room >> 1));
  const taken = parts.reduce((sum, each) => sum + each + SLASH.length, 0);
  const note = noteOf(fields, draft, room - taken - typed.at(-1)! - 1, theme);
  const last = room - taken - (note === null ? 0 : widthOf(note.text) + 1);
  const values = drawn.flatMap(({ path, required }, index) => {
    const first = index === 0;
    const labelWidth = first ? LABEL_WIDTH : 0;
    const spans = fieldSpans(
      {
        label: first ? label : "",
        labelWidth,
        value: composer.fields[path]!,
        selected,
        editing: composer.focus === path,
        ...(isEmpty && !required && { placeholder: "none" }),
        width: labelWidth + BESIDE + Math.max(0, parts[index] ?? last),
      },
      theme,
    );
    const shown = first ? spans : [{ text: theme.ascii === "words" ? " " : SLASH }, ...spans.slice(1)];
    return shown.map((span) => ({ ...span, hit: path }));
  });
  return note === null ? values : [...values, { text: ` ${note.text}`, role: note.role ?? "quiet" }];
}

const SEVERITY_ROLE = { error: "error", warning: "warning", note: "note" } as const satisfies Record<
  string,
  Role
>;

/** Beside the value: its error, else its meaning, cut to the room. The message below has all of it for the focused field. */
function noteOf(
  fields: readonly Field[],
  { findings, hints }: Draft,
  room: number,
  theme: Theme,
): { text: string; role: Role | null } | null {
  const found = fields.flatMap(({ path }) => findings.get(path) ?? []);
  const finding = found.find(({ severity }) => severity === "error") ?? found[0];
  const hint = fields.flatMap(({ path }) => hints.get(path) ?? []).at(-1);
  if (finding === undefined || (finding.severity === "note" && hint !== undefined)) {
    const fitting = hint === undefined ? [] : shortened(safe(hint));
    const text = fitting.find((each) => widthOf(each) <= room);
    return text === undefined ? null : { text, role: finding === undefined ? "quiet" : "note" };
  }
  const sign = theme.sign(finding.severity);
  // A screen reader hears the sentence in the message of the focused field.
  const whole = theme.ascii === "words" ? sign : `${sign} ${withoutPath(finding)}`;
  const text =
    room < SENTENCE_LEAST && widthOf(whole) > room ? sign : clip(whole, room, theme.sign("ellipsis"));
  return room < 1 ? null : { text, role: SEVERITY_ROLE[finding.severity] };
}

/** Cut at a comma: `UAH, 2 decimals, Hryvnia` is `UAH, 2 decimals` or `UAH` where there is less room. */
function shortened(hint: string): string[] {
  const parts = hint.split(", ");
  return parts.map((_, cut) => parts.slice(0, parts.length - cut).join(", "));
}

/** Without the name of the field, which is at the start of the row. */
function withoutPath({ path, message }: Finding): string {
  const text = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
  return safe(text.replace(/\.$/, ""));
}

/** A bar over the whole width, on a live service in its colour; without colour the button has brackets. */
function buttonRow(input: ComposeInput, theme: Theme): Row {
  const { composer, draft, sending, live = false, lack, locked, width } = input;
  const focused = composer.focus === SUBMIT;
  const asked = input.asked === true;
  const disabled = draft.blocked !== null || lack !== null;
  const action = sending ? "Sending" : live ? "Send check to LIVE" : "Send check";
  const mark = asked
    ? "  answer first"
    : disabled
      ? ` ${theme.sign("error")} disabled`
      : locked
        ? ` ${theme.sign("warning")} vault locked`
        : composer.focus === HISTORY
          ? `  ${sendKeys(composer.focus, theme)}`
          : "";
  const text = `${fit(focused && !asked ? theme.sign("pointer") : "", AXIS)}${buttonText(action, theme)}${mark}`;
  const ready = live && theme.color ? "live" : "bar";
  const isQuiet = disabled || asked || composer.focus === HISTORY;
  const role = isQuiet ? "quiet" : focused ? ready : "heading";
  return [{ text: fit(text, width), role, hit: SUBMIT }];
}

/** What sends: Enter on the button, which is one key away from the history. */
function sendKeys(focus: Focus, { keyName }: Theme): string {
  const send = keyName("check.send");
  return focus === HISTORY ? `${keyName("check.history.leave")}, then ${send}` : send;
}

/** The message about the focus, on at most `limit` rows. */
function messageLines(input: ComposeInput, theme: Theme, width: number, limit: number): Span[][] {
  const { text, role, verdict } = message(input, theme);
  const room = Math.max(1, width - AXIS);
  return clipLines(wrap(text, room), limit, room, theme.sign("ellipsis")).map((line) => {
    const at = verdict === undefined ? -1 : line.indexOf(verdict.text);
    const indent = fit("", AXIS);
    if (verdict === undefined || at < 0) return [{ text: indent + line, role }];
    const after = line.slice(at + verdict.text.length);
    return [{ text: indent + line.slice(0, at), role }, verdict, { text: after, role }];
  });
}

interface Message {
  readonly text: string;
  readonly role: Role | null;
  /** Within the text, in a colour of its own. */
  readonly verdict?: Span;
}

function message({ composer, draft, lack, locked, width }: ComposeInput, theme: Theme): Message {
  const { focus } = composer;
  if (focus === JUMP) return { text: "Press the letter of a field to go there.", role: "quiet" };
  if (!takesCommands(focus)) {
    const text = safe(composer.fields[focus]!.text, { max: 400 });
    // What its column cannot show is whole here.
    const isCut = widthOf(text) >= width - LABEL_WIDTH - BESIDE;
    return isCut && !draft.findings.has(focus) ? { text, role: null } : fieldMessage(focus, draft, theme);
  }
  if (lack !== null) return { text: `${theme.sign("error")} ${lack}`, role: "error" };
  if (draft.blocked !== null)
    return findingMessage({ ...draft.blocked, message: draftProblem(draft)! }, theme);
  if (locked) {
    const text = `${theme.sign("warning")} The vault is locked: press ${theme.keyName("lock.unlock")} to unlock it; ${sendKeys(focus, theme)} asks for the passphrase, too.`;
    return { text, role: "warning" };
  }
  if (draft.repeats !== null) {
    const { answered, orderId } = draft.repeats;
    const order = orderId === null ? "the last check" : safe(orderId, { max: 40 });
    return answered
      ? {
          text: `Unchanged since ${order}: the service may repeat its answer. ${theme.keyName("check.fresh")} sets a new order id.`,
          role: "note",
        }
      : {
          text: `Unchanged since ${order}, which got no verdict; sending is another attempt.`,
          role: "note",
        };
  }
  const missing = missingFields(draft);
  if (missing.length > 1) {
    const text = `${theme.sign("warning")} Missing: ${missing.join(", ")}. The service may refuse a check without them.`;
    return { text, role: "warning" };
  }
  const [warning, ...others] = draft.warnings;
  if (warning === undefined) {
    const noted = [...draft.findings.values()].find(({ severity }) => severity === "note");
    const text = noted === undefined ? "Nothing is missing." : safe(noted.message);
    const { predicted } = draft;
    if (predicted === null) return { text, role: "quiet" };
    const verdict = verdictSpan(predicted, theme.ascii);
    return { text: `If sent now: ${verdict.text}. ${text}`, role: "quiet", verdict };
  }
  return { text: `${theme.sign("warning")} ${withOthers(safe(warning), others.length)}`, role: "warning" };
}

function fieldMessage(focus: Focus, draft: Draft, theme: Theme): { text: string; role: Role | null } {
  const finding = draft.findings.get(focus);
  if (finding !== undefined) return findingMessage(finding, theme);
  const field = CHECK_FIELDS.find((candidate) => candidate.path === focus)!;
  const offered = field.choices ?? field.suggestions;
  // A screen reader has heard it with the value.
  const hint = theme.ascii === "words" ? undefined : draft.hints.get(focus);
  const sentences = [
    ...(hint === undefined ? [] : [`${capitalised(safe(hint))}.`]),
    field.help,
    ...(offered === undefined ? [] : [`${capitalised(offered.join(", "))}.`]),
  ];
  return { text: sentences.join(" "), role: "quiet" };
}

function findingMessage({ severity, message }: Finding, theme: Theme): { text: string; role: Role } {
  return { text: `${theme.sign(severity)} ${safe(message)}`, role: SEVERITY_ROLE[severity] };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
