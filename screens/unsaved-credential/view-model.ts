// A credential that is only in memory, as rows: why, how long it can be fetched again, and what to do.

import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import { againSentence, type UnsavedCredentialsState } from "#src/state/register/unsaved-credentials.ts";
import { textRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

export interface UnsavedCredentialView {
  readonly title: string;
  readonly rows: readonly Row[];
}

const keyRows = ({ keyName }: Theme): readonly (readonly [string, string])[] => [
  [keyName("rescue.retry"), "saves it in the vault again"],
  [keyName("rescue.file"), "saves it in an age file that a passphrase opens"],
  [keyName("rescue.reveal"), "reveals it for 10 s"],
  [keyName("rescue.giveUp"), "discards it, after a question"],
];

/** Rows of at most `width` columns; null if nothing is unsaved. */
export function unsavedCredentialView(
  state: UnsavedCredentialsState,
  width: number,
  theme: Theme,
): UnsavedCredentialView | null {
  const [unsaved, ...others] = state.waiting;
  if (unsaved === undefined) return null;
  const { credential, fault, projectKey } = unsaved;
  const rows = (text: string, options: Parameters<typeof textRows>[3] = {}): Row[] =>
    textRows(text, width, theme, { indent: 0, ...options });
  const dot = ` ${theme.sign("separator")} `;
  const facts = [`key id ${credential.keyId}`, `project id ${credential.projectId}`, credential.algorithm];
  const why = [
    ...rows(safe(fault.message, { max: LONGEST }), { role: "error", limit: 4 }),
    ...rows(`It is only in the memory of this program now. ${againSentence(unsaved)}`, { limit: 3 }),
    [],
    ...progressRows(state, rows),
  ];
  const what = [
    ...rows(`${safe(projectKey)}${dot}${facts.map((fact) => safe(fact)).join(dot)}`, { limit: 2 }),
    ...secretRows(state, width),
  ];
  const keys = keyRows(theme).map(([key, does]): Row => [
    { text: ` ${key.padEnd(4)}`, role: "heading" },
    { text: does },
  ]);
  const more = others.length === 0 ? [] : rows(`${others.length} more after this one.`);
  return {
    title: "A credential that is not saved",
    // The user copies the secret from the screen: show all of it at any size.
    rows:
      state.secondsLeft === null ? [...why, ...keys, [], ...what, ...more] : [...what, [], ...why, ...keys],
  };
}

const LONGEST = 600;

function progressRows(
  { working, problem }: UnsavedCredentialsState,
  rows: (text: string, options: Parameters<typeof textRows>[3]) => Row[],
): Row[] {
  if (working !== null) {
    const text = working === "saving" ? "Saving it in the vault." : "Writing the age file.";
    return [...rows(text, { role: "heading" }), []];
  }
  if (problem === null) return [];
  return [...rows(`Not saved: ${safe(problem, { max: LONGEST })}`, { role: "error", limit: 3 }), []];
}

function secretRows({ waiting, secondsLeft }: UnsavedCredentialsState, width: number): Row[] {
  if (secondsLeft === null) return [[{ text: `secret ${MASK}` }]];
  // The user asked to see it: show all of it, wrapped.
  const secret = safe(waiting[0]!.credential.secret.expose(), { max: 1_000 });
  const parts = Array.from({ length: Math.ceil(secret.length / width) }, (_, index) =>
    secret.slice(index * width, (index + 1) * width),
  );
  return [
    [{ text: "secret, " }, { text: `hidden again in ${secondsLeft} s`, role: "warning" }],
    ...parts.map((part): Row => [{ text: part, role: "heading" }]),
  ];
}
