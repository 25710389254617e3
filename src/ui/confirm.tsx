// A yes-or-no question before something that cannot be undone. No is selected at first.

import { useState, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { CONFIRM } from "./dialog-keys.ts";
import { wrapWords } from "./fit.ts";
import type { Span } from "./line.tsx";
import { Panel, panelRoom } from "./panel.tsx";
import { useTheme } from "./theme.ts";

export interface ConfirmProps {
  /** Safe, as is the text. */
  readonly title: string;
  readonly text: string;
  /** What Yes does, e.g. `Remove`. */
  readonly yes: string;
  /** Enter answers nothing, and no answer is marked. */
  readonly withoutEnter?: boolean | undefined;
  readonly onYes: () => void;
  readonly onNo: () => void;
  readonly width: number;
  readonly height: number;
}

export function Confirm(props: ConfirmProps): ReactNode {
  const { title, text, yes, withoutEnter = false, onYes, onNo, width, height } = props;
  const [isYes, setYes] = useState(false);
  const { sign, keyName } = useTheme();
  const turn = withoutEnter ? null : () => setYes((before) => !before);
  useLayer({
    ...CONFIRM.layer({ yes: onYes, no: onNo, turn, take: isYes ? onYes : onNo }),
    modal: true,
  });
  /** Where Enter takes none of them, each names its key. */
  const answer = (id: string, label: string, marked: boolean): Span[] =>
    withoutEnter
      ? [{ text: keyName(id), role: "heading" }, { text: `  ${label}` }]
      : [marked ? { text: `${sign("pointer")} ${label}`, role: "accent" } : { text: `  ${label}` }];
  const rows: Span[][] = [
    [],
    ...wrapWords(text, panelRoom(width)).map((line) => [{ text: line }]),
    [],
    answer("confirm.no", "No", !isYes),
    answer("confirm.yes", `Yes: ${yes}`, isYes),
  ];
  return <Panel title={title} rows={rows} width={width} height={height} />;
}
