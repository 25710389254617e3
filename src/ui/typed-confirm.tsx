// A confirmation before something that affects a live service: a word must be typed, one key does not suffice.

import { useState, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { TYPED_CONFIRM } from "./dialog-keys.ts";
import { wrapWords } from "./fit.ts";
import type { Span } from "./line.tsx";
import { Panel, panelRoom } from "./panel.tsx";
import { InputLine } from "./prompt.tsx";
import { useTheme } from "./theme.ts";

const LEVEL = 3;

export interface TypedConfirmProps {
  /** Safe, as is the text. */
  readonly title: string;
  readonly text: string;
  /** The action, e.g. `Replay`. */
  readonly yes: string;
  /** The word to type exactly: the name of the profile, or a count. Safe. */
  readonly word: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
  readonly width: number;
  readonly height: number;
}

/** Enter confirms if the word matches, and says so if it does not; Esc cancels. */
export function TypedConfirm(props: TypedConfirmProps): ReactNode {
  const { title, text, yes, word, onYes, onNo, width, height } = props;
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const isTyped = typed.trim() === word;
  const submit = (): void => (isTyped ? onYes() : setWrong(true));
  useLayer({ ...TYPED_CONFIRM.layer({ submit, cancel: onNo }), modal: true });
  const { keyName } = useTheme();
  const room = panelRoom(width);
  const said: { text: string; role: Span["role"] } = isTyped
    ? { text: `${keyName("typed.submit")}: ${yes}.`, role: "accent" }
    : isWrong
      ? {
          text: `That is not ${word}; nothing was done. Type it, or press ${keyName("typed.cancel")}.`,
          role: "error",
        }
      : { text: `${keyName("typed.cancel")} cancels.`, role: null };
  const rowsOf = (paragraph: string, role: Span["role"] = null): Span[][] =>
    wrapWords(paragraph, room).map((line) => [{ text: line, role }]);
  return (
    <Panel
      title={title}
      head={[[], ...rowsOf(text), []]}
      first={
        <InputLine
          label={`Type ${word} to continue:`}
          value={typed}
          isPublic={word.startsWith(typed)}
          onChange={(changed) => {
            setTyped(changed);
            setWrong(false);
          }}
          level={LEVEL}
          width={room}
        />
      }
      rows={[[], ...rowsOf(said.text, said.role)]}
      width={width}
      height={height}
    />
  );
}
