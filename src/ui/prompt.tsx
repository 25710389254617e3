// One line asked from the user, and below it what may be typed next.

import { Box, Text } from "ink";
import { useMemo, useState, type ReactNode } from "react";
import type { Completion } from "#src/display/completion.ts";
import { safe } from "#src/display/safe.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { PROMPT } from "./dialog-keys.ts";
import { clip, widthOf, spansWidth } from "./fit.ts";
import { keySpans, type FooterKey } from "./footer.tsx";
import { Line, type Span } from "./line.tsx";
import { fitRow } from "./rows.ts";
import { TextPrompt } from "./text-prompt.tsx";
import { useTheme, type Theme } from "./theme.ts";
import { useAudience } from "./use-audience.ts";

const LEVEL = 3;

export interface InputLineProps {
  /** Safe. */
  readonly label: string;
  readonly value: string;
  /** Placeholder of an empty value; safe. */
  readonly placeholder?: string;
  readonly masked?: boolean | undefined;
  /** An audience may see the value; by default it may not. */
  readonly isPublic?: boolean | undefined;
  readonly onChange: (text: string) => void;
  /** Level of the layer that takes Enter and Esc. */
  readonly level: number;
  readonly width: number;
}

/** Label and input on one row of `width` columns. The caller handles Enter and Esc. */
export function InputLine(props: InputLineProps): ReactNode {
  const { label, value, placeholder = "", isPublic = false, onChange, level, width } = props;
  const { isThere } = useAudience();
  const masked = props.masked === true || (isThere && !isPublic);
  const { textStyle, sign, example: exampleOf } = useTheme();
  const head = clip(`${label} `, width, sign("ellipsis"));
  const example = value === "" ? exampleOf(placeholder) : "";
  return (
    <Box width={width} height={1} flexShrink={0} overflow="hidden">
      <Box flexShrink={0} width={widthOf(head)}>
        <Text {...textStyle("accent")}>{head}</Text>
      </Box>
      <TextPrompt
        value={value}
        onChange={onChange}
        level={level}
        masked={masked}
        width={width - widthOf(head)}
      />
      {example === "" ? null : <Line spans={[{ text: example, role: "quiet" }]} />}
    </Box>
  );
}

export interface PromptLineProps {
  /** Safe. */
  readonly label: string;
  readonly initial?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly masked?: boolean | undefined;
  /** Whether an audience may see a text; by default it may see none. */
  readonly isPublic?: ((text: string) => boolean) | undefined;
  /** Earlier inputs, newest first. */
  readonly recall?: readonly string[] | undefined;
  readonly complete?: ((text: string) => Completion) | undefined;
  readonly onChange?: ((text: string) => void) | undefined;
  /** What Enter does, in a word; `accept` by default. */
  readonly does?: string | undefined;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
  readonly onHelp?: () => void;
  /** The keys that work in it, most important first. */
  readonly keys?: readonly FooterKey[];
  readonly width: number;
}

const NOTHING: Completion = { candidates: [], hint: null };

/** Two rows that ask for a text: Enter submits, Esc cancels, Up and Down bring back earlier inputs, Tab takes a candidate. */
export function PromptLine(props: PromptLineProps): ReactNode {
  const {
    label,
    initial = "",
    placeholder = "",
    masked,
    isPublic,
    recall = [],
    complete,
    onChange,
    does = "accept",
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
  // A path is completed from a folder on disk, which is read once a text.
  const completion = useMemo(() => complete?.(text) ?? NOTHING, [complete, text]);
  const [candidate] = completion.candidates;
  const change = (changed: string): void => {
    setText(changed);
    onChange?.(changed);
  };
  const type = (changed: string): void => {
    setTyped(changed);
    setAt(-1);
    change(changed);
  };
  // Skip inputs that equal the current text.
  const known = recall.filter((each) => each !== typed);
  const walk = (to: number): void => {
    if (to < -1 || to >= known.length) return;
    setAt(to);
    change(to === -1 ? typed : known[to]!);
  };
  const line = {
    does,
    submit: () => onSubmit(text),
    cancel: onCancel,
    complete: candidate === undefined ? null : () => type(candidate.text),
    help: onHelp ?? null,
    walk: known.length === 0 ? null : (by: 1 | -1) => walk(at + by),
  };
  useLayer({ ...PROMPT.layer(line), modal: true });
  return (
    <>
      <InputLine
        label={`  ${label}`}
        value={text}
        placeholder={placeholder}
        masked={masked}
        isPublic={isPublic?.(text)}
        onChange={type}
        level={LEVEL}
        width={width}
      />
      <Line spans={completionSpans(completion, keys, width, theme)} />
    </>
  );
}

const GAP = "   ";
/** Columns that the candidates have in any case; a hint has all that it needs. */
const CANDIDATES = 28;

/** Candidates and hint at the left, at the right the first of the keys that leave them room; `width` columns. */
function completionSpans(
  { candidates, hint }: Completion,
  keys: readonly FooterKey[],
  width: number,
  theme: Theme,
): Span[] {
  const left = [
    ...candidates.map(({ label }) => ({ text: label, role: "heading" as const })),
    ...(hint === null ? [] : [{ text: safe(hint, { max: 300 }), role: "quiet" as const }]),
  ].map(({ text, role }, index) => ({ text: (index === 0 ? "  " : GAP) + text, role }));
  const least = hint === null ? Math.min(CANDIDATES, spansWidth(left)) : spansWidth(left);
  const right = keySpans(keys, width - least - GAP.length - 1);
  const room = width - spansWidth(right) - GAP.length - 1;
  return [...fitRow(left, room, theme), { text: GAP }, ...right, { text: " " }];
}
