// One line asked from the user.

import { Box, Text } from "ink";
import { useState, type ReactNode } from "react";
import { TextPrompt } from "#src/keys/text-prompt.tsx";
import { useLayer } from "#src/keys/use-layer.ts";
import { clip, widthOf } from "./fit.ts";
import { roleProps } from "./theme.ts";

const LEVEL = 3;

export interface InputLineProps {
  /** Safe. */
  readonly label: string;
  readonly value: string;
  /** In place of an empty value; safe. */
  readonly placeholder?: string;
  readonly masked?: boolean;
  readonly onChange: (text: string) => void;
  /** Level of the layer that takes Enter and Esc. */
  readonly level: number;
  readonly width: number;
}

/** Label and input on one row of `width` columns. Enter and Esc belong to whoever shows it. */
export function InputLine(props: InputLineProps): ReactNode {
  const { label, value, placeholder = "", masked = false, onChange, level, width } = props;
  const head = clip(`${label} `, width);
  return (
    <Box width={width} height={1} flexShrink={0} overflow="hidden">
      <Box flexShrink={0} width={widthOf(head)}>
        <Text {...roleProps("accent")}>{head}</Text>
      </Box>
      <TextPrompt
        value={value}
        onChange={onChange}
        level={level}
        placeholder={placeholder}
        {...(masked ? { mask: "*" } : {})}
      />
    </Box>
  );
}

export interface PromptLineProps {
  /** Safe. */
  readonly label: string;
  readonly initial?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly masked?: boolean | undefined;
  readonly onChange?: ((text: string) => void) | undefined;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
  readonly width: number;
}

/** A row that asks for a text: Enter gives it, Esc does not. */
export function PromptLine(props: PromptLineProps): ReactNode {
  const {
    label,
    initial = "",
    placeholder = "",
    masked = false,
    onChange,
    onSubmit,
    onCancel,
    width,
  } = props;
  const [text, setText] = useState(initial);
  useLayer({
    scope: "prompt",
    level: LEVEL,
    modal: true,
    handlers: { "prompt.cancel": onCancel, "prompt.submit": () => onSubmit(text) },
  });
  return (
    <InputLine
      label={` ${label}`}
      value={text}
      placeholder={placeholder}
      masked={masked}
      onChange={(changed) => {
        setText(changed);
        onChange?.(changed);
      }}
      level={LEVEL}
      width={width}
    />
  );
}
