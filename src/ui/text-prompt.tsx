// A one-line prompt: the editing of form fields, drawn by ink-text-input at the terminal's own cursor.

import TextInput from "ink-text-input";
import { useState, type ReactNode } from "react";
import { applyKey, editText, insertText, type TextEdit } from "#src/display/text-edit.ts";
import { CursorRow } from "#src/keys/real-cursor.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { visiblePart } from "./field-line.tsx";
import { widthOf } from "./fit.ts";
import { useTheme } from "./theme.ts";

export interface TextPromptProps {
  readonly value: string;
  /** Called with every change; a `value` that does not follow at once is shown with the cursor behind it. */
  readonly onChange: (value: string) => void;
  /** Draws a sign for each grapheme instead of it. */
  readonly masked?: boolean;
  /** Level of the layer it belongs to; the prompt receives keys before it. */
  readonly level: number;
  /** Columns. */
  readonly width: number;
}

export function TextPrompt({ value, onChange, masked = false, level, width }: TextPromptProps): ReactNode {
  const theme = useTheme();
  const [held, setHeld] = useState(() => editText(value));
  const edit = held.text === value ? held : editText(value);
  const take = (next: TextEdit | null): boolean => {
    if (next === null) return false;
    setHeld(next);
    if (next.text !== value) onChange(next.text);
    return true;
  };
  useLayer({
    scope: "prompt-text",
    level: level + 0.5,
    handlers: {},
    text: (text) => void take(insertText(edit, text)),
    key: (name) => take(applyKey(edit, name)),
  });
  const { start, rest } = visiblePart({ value: edit, masked }, width, theme);
  return (
    <CursorRow column={() => widthOf(start)}>
      <TextInput value={start + rest} focus={false} onChange={onChange} />
    </CursorRow>
  );
}
