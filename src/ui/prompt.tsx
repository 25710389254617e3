// One line asked from the user.

import { Box, Text } from "ink";
import { useState, type ReactNode } from "react";
import { TextPrompt } from "#src/keys/text-prompt.tsx";
import { useLayer } from "#src/keys/use-layer.ts";
import { clip, widthOf } from "./fit.ts";
import { keySpans, type FooterKey } from "./footer.tsx";
import { Line, type Span } from "./line.tsx";
import { useTheme } from "./theme.ts";

const LEVEL = 3;

export interface InputLineProps {
  /** Safe. */
  readonly label: string;
  readonly value: string;
  /** Placeholder of an empty value; safe. */
  readonly placeholder?: string;
  readonly masked?: boolean;
  /** At the right end, while the text leaves room for it. */
  readonly note?: readonly Span[];
  readonly onChange: (text: string) => void;
  /** Level of the layer that takes Enter and Esc. */
  readonly level: number;
  readonly width: number;
}

/** Label and input on one row of `width` columns. The caller handles Enter and Esc. */
export function InputLine(props: InputLineProps): ReactNode {
  const { label, value, placeholder = "", masked = false, note = [], onChange, level, width } = props;
  const { textStyle, sign, color } = useTheme();
  const head = clip(`${label} `, width, sign("ellipsis"));
  const noteWidth = note.reduce((sum, { text }) => sum + widthOf(text), 0);
  // One more column for the cursor behind the text.
  const example = value === "" && placeholder !== "" ? `<${placeholder}>` : "";
  const taken = widthOf(head) + widthOf(value + example) + 1;
  const hasNote = noteWidth > 0 && taken + noteWidth <= width;
  return (
    <Box width={width} height={1} flexShrink={0} overflow="hidden">
      <Box flexShrink={0} width={widthOf(head)}>
        <Text {...textStyle("accent")}>{head}</Text>
      </Box>
      <TextPrompt
        value={value}
        onChange={onChange}
        level={level}
        {...(color ? {} : { caret: sign("vertical") })}
        {...(masked ? { mask: "*" } : {})}
      />
      {example === "" ? null : <Line spans={[{ text: example, role: "quiet" }]} />}
      {hasNote ? (
        <>
          <Box flexGrow={1} />
          <Box flexShrink={0} width={noteWidth}>
            <Line spans={note} />
          </Box>
        </>
      ) : null}
    </Box>
  );
}

export interface PromptLineProps {
  /** Safe. */
  readonly label: string;
  readonly initial?: string | undefined;
  readonly placeholder?: string | undefined;
  /** Masked: always, or depending on its text. */
  readonly masked?: boolean | ((text: string) => boolean) | undefined;
  /** Earlier inputs, newest first. */
  readonly recall?: readonly string[] | undefined;
  readonly onChange?: ((text: string) => void) | undefined;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
  readonly onHelp?: () => void;
  /** The keys that work in it, most important first. */
  readonly keys?: readonly FooterKey[];
  readonly width: number;
}

/** A row that asks for a text: Enter submits, Esc cancels, Up and Down bring back earlier inputs. */
export function PromptLine(props: PromptLineProps): ReactNode {
  const {
    label,
    initial = "",
    placeholder = "",
    masked = false,
    recall = [],
    onChange,
    onSubmit,
    onCancel,
    onHelp,
    keys = [],
    width,
  } = props;
  const theme = useTheme();
  const [text, setText] = useState(initial);
  /** Index in the earlier inputs; -1 for the typed text, which is kept. */
  const [at, setAt] = useState(-1);
  const [typed, setTyped] = useState(initial);
  const change = (changed: string): void => {
    setText(changed);
    onChange?.(changed);
  };
  // Skip inputs that equal the current text.
  const known = recall.filter((each) => each !== typed);
  const walk = (to: number): void => {
    if (to < -1 || to >= known.length) return;
    setAt(to);
    change(to === -1 ? typed : known[to]!);
  };
  useLayer({
    scope: "prompt",
    level: LEVEL,
    modal: true,
    handlers: {
      "prompt.cancel": onCancel,
      "prompt.submit": () => onSubmit(text),
      ...(onHelp === undefined ? {} : { "prompt.help": onHelp }),
      ...(known.length === 0
        ? {}
        : { "prompt.older": () => walk(at + 1), "prompt.newer": () => walk(at - 1) }),
    },
  });
  return (
    <InputLine
      label={` ${label}`}
      value={text}
      placeholder={placeholder}
      masked={typeof masked === "function" ? masked(text) : masked}
      note={keys.length === 0 ? [] : [{ text: "  " }, ...keySpans(keys, theme), { text: " " }]}
      onChange={(changed) => {
        setTyped(changed);
        setAt(-1);
        change(changed);
      }}
      level={LEVEL}
      width={width}
    />
  );
}
