// One field of a form on one row: label, value with the cursor while it is edited, hint or problem at the right.

import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { clip, fit, graphemes, widthOf, spansWidth } from "./fit.ts";
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
  const wanted = 1 + spansWidth(pieces);

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
function visiblePieces(props: FieldLineProps): Piece[] {
  const { value, masked, editing } = props;
  if (editing) return editedPieces(props);
  // Outside of editing, the length of a secret is hidden as well.
  const text = masked === true && value.text !== "" ? HIDDEN.repeat(8) : safe(value.text, { max: 1_000 });
  return text === "" ? [] : graphemes(text).map((each) => ({ text: each, cursor: false }));
}

function editedPieces({ value, masked }: Pick<FieldLineProps, "value" | "masked">): Piece[] {
  let offset = 0;
  const pieces = graphemes(value.text).map((grapheme) => {
    const cursor = value.cursor >= offset && value.cursor < offset + grapheme.length;
    offset += grapheme.length;
    return { text: masked === true ? HIDDEN : safe(grapheme), cursor };
  });
  return [...pieces, { text: " ", cursor: value.cursor >= offset }];
}

/**
 * What `room` columns show of a text that is edited.
 * @returns what stands before the cursor, and what follows, with a cell for a cursor at the end
 */
export function visiblePart(
  props: Pick<FieldLineProps, "value" | "masked">,
  room: number,
  theme: Theme,
): { start: string; rest: string } {
  // Where there is no underline either, the cursor has a bar before its character.
  const caret = theme.color ? "" : theme.sign("vertical");
  const pieces = editedPieces(props);
  const at = pieces.findIndex((piece) => piece.cursor);
  const from = firstVisible(pieces, at, room - widthOf(caret));
  const before = pieces.slice(from, at).map((piece) => piece.text);
  if (from > 0) before[0] = theme.sign("ellipsis");
  const behind = pieces.slice(at).map((piece) => piece.text);
  const start = before.join("");
  return { start, rest: clip(caret + behind.join(""), room - widthOf(start), theme.sign("ellipsis")) };
}

function valueSpans(props: FieldLineProps, pieces: readonly Piece[], room: number, theme: Theme): Span[] {
  const { placeholder, editing, value } = props;
  const ellipsis = theme.sign("ellipsis");
  if (editing) {
    const { start, rest } = visiblePart(props, room, theme);
    if (value.text !== "" || placeholder === undefined)
      return [{ text: fit(start + rest, room, { ellipsis }), cursor: widthOf(start) }];
    const example = fit(theme.example(placeholder), Math.max(0, room - 1), { ellipsis });
    return [
      { text: clip(rest.trimEnd() || " ", room, ellipsis), cursor: 0 },
      { text: example, role: "quiet" },
    ];
  }
  if (pieces.length > 0)
    return [{ text: fit(pieces.map((piece) => piece.text).join(""), room, { ellipsis }) }];
  return [{ text: fit(theme.example(placeholder ?? ""), room, { ellipsis }), role: "quiet" }];
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
