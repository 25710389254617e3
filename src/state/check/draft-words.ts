// One line that says why a composed check cannot be sent, or what is missing. Pure.

import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { Draft } from "./draft.ts";

/**
 * What is wrong, the first of it as a sentence and the rest by name, and what is missing.
 * @returns null when nothing is wrong
 */
export function draftProblem(draft: Pick<Draft, "blocked" | "findings" | "request">): string | null {
  const { blocked } = draft;
  if (blocked === null) return null;
  const wrong = labels((path) => draft.findings.get(path)?.severity === "error" && path !== blocked.path);
  const missing = missingFields(draft);
  return [
    blocked.message,
    ...(wrong.length === 0 ? [] : [`Also wrong: ${wrong.join(", ")}.`]),
    ...(missing.length === 0 ? [] : [`Missing: ${missing.join(", ")}.`]),
  ].join(" ");
}

/** Labels of the required fields that have no text. */
export function missingFields({ findings, request }: Pick<Draft, "findings" | "request">): readonly string[] {
  const required = new Set(CHECK_FIELDS.filter((field) => field.required).map(({ path }) => path));
  return labels(
    (path) =>
      required.has(path) &&
      findings.get(path)?.severity === "warning" &&
      (request as Readonly<Record<string, unknown>>)[path] === undefined,
  );
}

/** What a stray key must not send to a live service, a sentence each. */
export function liveDoubts(draft: Draft): readonly string[] {
  const missing = missingFields(draft);
  return [
    ...(missing.length === 0 ? [] : [`Missing: ${missing.join(", ")}; the service may refuse it.`]),
    ...(draft.repeats?.answered === false ? ["Its last attempt got no verdict, and may have arrived."] : []),
  ];
}

function labels(holds: (path: string) => boolean | undefined): readonly string[] {
  return CHECK_FIELDS.filter(({ path }) => holds(path)).map(({ label }) => label);
}
