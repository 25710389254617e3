// A one-line prompt: ink-text-input, fed by the dispatcher. The one place that uses it.

import TextInput from "ink-text-input";
import { useState, type ReactNode } from "react";
import { PromptContext } from "./prompt-context.ts";
import { createStandIns } from "./stand-ins.ts";

export interface TextPromptProps {
  readonly value: string;
  /** Hears every change; `value` has to follow at once. When it does not, the cursor goes behind what `value` is. */
  readonly onChange: (value: string) => void;
  /** Enter; without it Enter goes on to the layer below. */
  readonly onSubmit?: (value: string) => void;
  /** Drawn for each grapheme instead of it. */
  readonly mask?: string;
  /** Drawn while the value is empty. */
  readonly placeholder?: string;
  /** Whether it hears keys; it does if nothing is said. */
  readonly focus?: boolean;
  /** Level of the layer it belongs to, 3 (dialog or prompt) if nothing is said. */
  readonly level?: number;
}

export function TextPrompt({
  value,
  onChange,
  onSubmit,
  mask,
  placeholder = "",
  focus = true,
  level = 3,
}: TextPromptProps): ReactNode {
  const [standIns] = useState(createStandIns);
  const [held, setHeld] = useState(() => ({ value, encoded: standIns.encode(value), mounted: 0 }));
  let now = held;
  if (held.value !== value) {
    // Someone else has set the text: ink-text-input starts anew, with its cursor behind the text.
    now = { value, encoded: standIns.encode(value), mounted: held.mounted + 1 };
    setHeld(now);
  }
  const change = (encoded: string): void => {
    const next = standIns.decode(encoded);
    setHeld({ value: next, encoded, mounted: now.mounted });
    onChange(next);
  };
  const submits = onSubmit !== undefined;
  return (
    <PromptContext value={{ standIns, encoded: now.encoded, level, submits }}>
      <TextInput
        key={now.mounted}
        value={now.encoded}
        onChange={change}
        focus={focus}
        placeholder={placeholder}
        {...(mask === undefined ? {} : { mask })}
        {...(submits ? { onSubmit: (encoded: string) => onSubmit(standIns.decode(encoded)) } : {})}
      />
    </PromptContext>
  );
}
