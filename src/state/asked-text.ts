// Prompts as promises: a line of text, a file name, a new passphrase typed twice.

import { typedPath } from "#src/app/typed-path.ts";
import { Secret } from "#src/contract/secret.ts";
import type { Question, Session } from "./session.ts";

/** @returns what was typed; null for Esc */
export function askText(session: Session, question: Question): Promise<string | null> {
  return session.askUntil(question);
}

/** @returns the absolute path of what was typed; null for Esc, and for nothing */
export async function askPath(session: Session, label: string, placeholder: string): Promise<string | null> {
  const typed = await session.askUntil({ label, placeholder });
  return typed ? typedPath(typed) : null;
}

/** @returns the passphrase once it was typed twice; null otherwise, with a toast unless it was Esc */
export async function askNewPassphrase(session: Session, what: string): Promise<Secret | null> {
  const first = await session.askUntil({ label: `New passphrase ${what}:`, masked: true });
  if (first === null) return null;
  if (first === "") {
    session.say("An empty passphrase protects nothing; nothing was changed.", "error");
    return null;
  }
  const second = await session.askUntil({ label: "The same once more:", masked: true });
  if (second === null) return null;
  if (first === second) return new Secret(first);
  session.say("The two passphrases are not the same; nothing was changed.", "error");
  return null;
}
