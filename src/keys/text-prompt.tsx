// A one-line prompt: ink-text-input with input from the dispatcher.

import TextInput from "ink-text-input";
import { useState, type ReactNode } from "react";
import { PromptContext } from "./prompt-ink.ts";
import { createStandIns, type StandIns } from "./stand-ins.ts";
import { createTextSteps } from "./text-steps.ts";

export interface TextPromptProps {
  readonly value: string;
  /** Called with every change; `value` must follow at once, or the cursor moves behind it. */
  readonly onChange: (value: string) => void;
  /** Enter; without it the layer below handles Enter. */
  readonly onSubmit?: (value: string) => void;
  /** Drawn for each grapheme instead of it. */
  readonly mask?: string;
  /** Drawn at the cursor where colours are off; nothing by default. */
  readonly caret?: string;
  /** Level of the layer it belongs to, 3 (dialog or prompt) by default. */
  readonly level?: number;
}

export function TextPrompt({
  value,
  onChange,
  onSubmit,
  mask,
  caret = "",
  level = 3,
}: TextPromptProps): ReactNode {
  const [standIns] = useState(createStandIns);
  const [steps] = useState(createTextSteps);
  const [held, setHeld] = useState(() => begun(value, standIns, 0));
  let now = held;
  if (held.value !== value) {
    // The text was set from outside: ink-text-input is mounted again, with its cursor behind the text.
    now = begun(value, standIns, held.mounted + 1);
    setHeld(now);
  }
  const change = (encoded: string): void => {
    const next = standIns.decode(encoded);
    steps.changed(now.encoded, encoded, now.cursor.at);
    setHeld({ ...now, value: next, encoded });
    onChange(next);
  };
  const turn = (key: string): boolean => {
    const encoded = steps.turned(key, now.encoded);
    if (encoded === null || encoded === now.encoded) return encoded !== null;
    const next = standIns.decode(encoded);
    setHeld(begun(next, standIns, now.mounted + 1));
    onChange(next);
    return true;
  };
  const submits = onSubmit !== undefined;
  return (
    <PromptContext
      value={{ standIns, encoded: now.encoded, cursor: now.cursor, caret, turn, level, submits }}
    >
      <TextInput
        key={now.mounted}
        value={now.encoded}
        onChange={change}
        {...(mask === undefined ? {} : { mask })}
        {...(submits ? { onSubmit: (encoded: string) => onSubmit(standIns.decode(encoded)) } : {})}
      />
    </PromptContext>
  );
}

/** A text that was set from outside: the cursor stands behind it. */
function begun(value: string, standIns: StandIns, mounted: number) {
  const encoded = standIns.encode(value);
  return { value, encoded, mounted, cursor: { at: encoded.length } };
}
