// The rows below the screen: the question or the prompt if there is one, and the keys.

import { useMemo, useState, type ReactNode } from "react";
import type { Audience } from "#src/display/audience.ts";
import { safe } from "#src/display/safe.ts";
import { useActiveBindings } from "#src/keys/use-layer.ts";
import type { Dialog, SessionState } from "#src/state/session.ts";
import { useConsole } from "#src/state/use-console.ts";
import { Footer } from "#src/ui/footer.tsx";
import { PromptLine } from "#src/ui/prompt.tsx";
import { Confirm, questionRows, TypedConfirm } from "#src/ui/question.tsx";
import type { Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { useAudience } from "#src/ui/use-audience.ts";
import type { ShellKeys } from "./shell-keys.ts";
import { footerKeys } from "./view-model.ts";

/** Longer questions are not read before they are answered. */
const LONGEST_QUESTION = 600;

/** The rows of an open question. A screen reader hears the keys of the footer once, and the answers with each question. */
export function dialogRows(
  { text, yes, no = "no", typed }: Dialog,
  { shown }: Audience,
  columns: number,
  theme: Theme,
): readonly Row[] {
  const { ascii, keyName } = theme;
  const answers = ` ${keyName("confirm.yes")} ${yes}, ${keyName("confirm.no")} ${no}.`;
  const asked = safe(shown(text), { max: LONGEST_QUESTION, block: true });
  const isHeard = ascii === "words" && typed === undefined;
  return questionRows(isHeard ? asked + answers : asked, columns, theme);
}

/** The question or the prompt if there is one, and the keys. Another prompt needs another `key`. */
export function LastRows({
  state,
  keys,
  question,
  columns,
}: {
  readonly state: SessionState;
  readonly keys: ShellKeys;
  readonly question: readonly Row[];
  readonly columns: number;
}): ReactNode {
  const { session } = useConsole();
  const { isThere, shown } = useAudience();
  const { dialog, prompt, help } = state;
  // Kept here, because a question may come over the prompt.
  const [typed, setTyped] = useState(prompt?.initial);
  const offered = help ? undefined : prompt?.complete;
  // A hint quotes what was typed.
  const complete = useMemo(
    () => offered && ((text: string) => (isThere ? { ...offered(text), hint: null } : offered(text))),
    [offered, isThere],
  );
  const footer = footerKeys(useActiveBindings());
  if (dialog !== null) {
    const asked = {
      rows: question,
      yes: dialog.yes,
      onYes: () => session.answer(true),
      onNo: () => session.answer(false),
    };
    if (dialog.typed !== undefined)
      return (
        // Another question is another component, without the answer to the first.
        <TypedConfirm
          key={dialog.text}
          {...asked}
          word={safe(dialog.typed)}
          keys={footer.keys}
          width={columns}
        />
      );
    return (
      <>
        <Confirm
          key={dialog.text}
          {...asked}
          no={dialog.no}
          onLeave={() => session.answer(null)}
          withoutEnter={dialog.isBeforeSending === true || dialog.no !== undefined}
        />
        <Footer {...footer} width={columns} />
      </>
    );
  }
  if (prompt === null) return <Footer {...footer} width={columns} />;
  return (
    <PromptLine
      label={`${prompt.step === undefined ? "" : `${prompt.step}  `}${safe(shown(prompt.label))}`}
      initial={typed}
      placeholder={prompt.placeholder}
      masked={prompt.masked}
      isPublic={prompt.isPublic}
      recall={prompt.recall}
      complete={complete}
      onChange={(text) => {
        setTyped(text);
        prompt.onChange?.(text);
      }}
      onSubmit={session.submit}
      onCancel={session.closePrompt}
      onHelp={keys.showHelp}
      keys={footer.keys}
      width={columns}
    />
  );
}
