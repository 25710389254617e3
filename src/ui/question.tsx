// A question before something that cannot be undone, in the message row: its answers are in the footer, and the screen
// stays in sight.

import { useState, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { CONFIRM } from "./dialog-keys.ts";
import { wrapWords } from "./fit.ts";
import type { FooterKey } from "./footer.tsx";
import { Rows } from "./line.tsx";
import { PromptLine } from "./prompt.tsx";
import { AXIS, fitRow, type Row } from "./rows.ts";
import type { Theme } from "./theme.ts";

/**
 * As many rows as the text needs: what is not read must not be answered.
 * @param text safe
 */
export function questionRows(text: string, width: number, theme: Theme): Row[] {
  const isHeard = theme.ascii === "words";
  const head = isHeard ? "Question: " : `${theme.sign("pointer")} `;
  return wrapWords(text, width - AXIS - 1).map((line, index) => {
    const row: Row = [
      { text: index === 0 ? head : " ".repeat(AXIS), role: "accent" },
      { text: line, role: "heading" },
    ];
    return isHeard ? row : fitRow(row, width, theme);
  });
}

interface Asked {
  readonly rows: readonly Row[];
  /** What Yes does, e.g. `remove`. */
  readonly yes: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

export interface ConfirmProps extends Asked {
  /** What No does, where Esc is another answer. */
  readonly no?: string | undefined;
  readonly onLeave: () => void;
  /** Enter answers nothing; elsewhere it is No at first. */
  readonly withoutEnter?: boolean | undefined;
}

/** A yes-or-no question. */
export function Confirm(props: ConfirmProps): ReactNode {
  const { rows, yes, no: refuses, withoutEnter = false, onYes, onNo, onLeave } = props;
  const [isYes, setYes] = useState(false);
  const turn = (): void => setYes((before) => !before);
  const enter = withoutEnter ? null : isYes;
  const answers = { does: yes, refuses, yes: onYes, no: onNo, leave: onLeave, enter, turn };
  useLayer({ ...CONFIRM.layer(answers), modal: true });
  return <Rows rows={rows} />;
}

export interface TypedConfirmProps extends Asked {
  /** The word to type exactly: the name of the profile, or a count. Safe. */
  readonly word: string;
  /** The keys that work in the line. */
  readonly keys: readonly FooterKey[];
  readonly width: number;
}

/** A question before something that affects a live service: a word must be typed, one key does not suffice. */
export function TypedConfirm({ rows, word, keys, width, yes, onYes, onNo }: TypedConfirmProps): ReactNode {
  const [isWrong, setWrong] = useState(false);
  const hint = isWrong ? `That is not ${word}; nothing was done.` : null;
  return (
    <>
      <Rows rows={rows} />
      <PromptLine
        label={`Type ${word} to continue:`}
        isPublic={(text) => word.startsWith(text)}
        complete={() => ({ candidates: [], hint })}
        onChange={() => setWrong(false)}
        does={yes}
        onSubmit={(text) => (text.trim() === word ? onYes() : setWrong(true))}
        onCancel={onNo}
        keys={keys}
        width={width}
      />
    </>
  );
}
