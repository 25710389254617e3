// One field of a form on one row: label, value with the cursor while it is edited, hint or problem at the right.

import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { clip, fit, graphemes, widthOf } from "./fit.ts";
import type { Span } from "./line.tsx";
import { AXIS } from "./rows.ts";
import type { Theme } from "./theme.ts";

export interface FieldLineProps {
  /** Safe. */
  readonly label: string;
  /** Columns of the label, the pointer before it not counted. */
  readonly labelWidth: number;
  /** The raw text; the cursor is a UTF-16 offset and is drawn while the field is edited. */
  readonly value: { readonly text: string; readonly cursor: number };
  /** The field is selected. */
  readonly selected: boolean;
  /** The field is edited. */
  readonly editing: boolean;
  /** Placeholder of an empty value; safe. */
  readonly placeholder?: string;
  /** True for a secret. */
  readonly masked?: boolean;
  /** Hint or problem; safe. */
  readonly note?: { readonly text: string; readonly role: Role | null } | null;
  /** Columns of the value, which aligns the notes; a longer value takes more. */
  readonly valueWidth?: number;
  readonly width: number;
}

const VALUE_WIDTH = 18;

/** The spans of a field's row. */
export function fieldSpans(props: FieldLineProps, theme: Theme): Span[] {
  const { label, labelWidth, selected, width, note = null, valueWidth = VALUE_WIDTH } = props;
  const ellipsis = theme.sign("ellipsis");
  const pointer = selected ? theme.sign("pointer") : " ";
  const pieces = visiblePieces(props);
  const wanted = pieces.reduce((sum, piece) => sum + widthOf(piece.text), 1);

  const room = Math.max(0, width - labelWidth - AXIS - 1);
  const noteText = note?.text ?? "";
  const forNote = noteText === "" ? 0 : Math.min(widthOf(noteText), Math.floor(room / 2)) + 1;
  const valueRoom = noteText === "" ? room : Math.min(Math.max(valueWidth, wanted), room - forNote);

  return [
    { text: `${pointer} ${fit(label, labelWidth, { ellipsis })} `, role: selected ? "accent" : "quiet" },
    ...valueSpans(props, pieces, valueRoom, theme),
    ...(noteText === ""
      ? []
      : [
          { text: " " },
          {
            text: fit(noteText, room - valueRoom - 1, { ellipsis, align: "right" }),
            role: note!.role ?? "quiet",
          },
        ]),
  ];
}

interface Piece {
  readonly text: string;
  /** The cursor stands on it. */
  readonly cursor: boolean;
}

/** Shown for each character of a secret while it is typed. */
const HIDDEN = "*";

/** The value character by character, each made safe, with a trailing space for a cursor at the end. */
function visiblePieces({ value, masked, editing }: FieldLineProps): Piece[] {
  if (!editing) {
    // Outside of editing, the length of a secret is hidden as well.
    const text = masked === true && value.text !== "" ? HIDDEN.repeat(8) : safe(value.text, { max: 1_000 });
    return text === "" ? [] : graphemes(text).map((each) => ({ text: each, cursor: false }));
  }
  let offset = 0;
  const pieces = graphemes(value.text).map((grapheme) => {
    const cursor = value.cursor >= offset && value.cursor < offset + grapheme.length;
    offset += grapheme.length;
    return { text: masked === true ? HIDDEN : safe(grapheme), cursor };
  });
  return [...pieces, { text: " ", cursor: value.cursor >= offset }];
}

function valueSpans(
  { placeholder, editing }: FieldLineProps,
  pieces: readonly Piece[],
  room: number,
  theme: Theme,
): Span[] {
  const ellipsis = theme.sign("ellipsis");
  // Where there is no underline either, the cursor has a bar before its character.
  const caret = theme.color ? "" : theme.sign("vertical");
  if (pieces.length === 0 || (editing && pieces.length === 1 && placeholder !== undefined)) {
    const example = theme.example(placeholder ?? "");
    const shown = fit(example, Math.max(0, room - (editing ? 1 : 0)), { ellipsis });
    const slot: Span[] = editing ? [{ text: clip(caret || " ", room, ellipsis), cursor: 0 }] : [];
    return [...slot, { text: shown, role: "quiet" }];
  }
  if (!editing) return [{ text: fit(pieces.map((piece) => piece.text).join(""), room, { ellipsis }) }];

  const at = pieces.findIndex((piece) => piece.cursor);
  const from = firstVisible(pieces, at, room - widthOf(caret));
  const before = pieces.slice(from, at).map((piece) => piece.text);
  if (from > 0) before[0] = ellipsis;
  const start = before.join("");
  const rest = [caret, ...pieces.slice(at).map((piece) => piece.text)].join("");
  return [{ text: fit(`${start}${rest}`, room, { ellipsis }), cursor: widthOf(start) }];
}

/** First character of a scrolled value that keeps the cursor in view. */
function firstVisible(pieces: readonly Piece[], at: number, room: number): number {
  let taken = 0;
  for (let index = at; index >= 0; index -= 1) {
    taken += widthOf(pieces[index]!.text);
    if (taken > room) return Math.min(at, index + 1);
  }
  return 0;
}
