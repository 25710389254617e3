// How a request is signed, as lines: every signed byte is visible, and how long the signature is valid.

import type { SigningExplanation, VisibleLine } from "#src/contract/wire/signing-explanation.ts";
import { counted } from "./count.ts";
import { safe } from "./safe.ts";
import type { Role } from "./style.ts";
import { formatClock } from "./time.ts";

export interface SigningLine {
  readonly text: string;
  readonly role: Role | null;
}

const LONGEST = 100_000;

/** How long the signature may be used, as one sentence. */
export function validitySentence({
  stringToSign,
  validUntil,
}: Pick<SigningExplanation, "stringToSign" | "validUntil">): string {
  if (stringToSign === null) return "Nothing is signed.";
  if (validUntil === null) return "No time is signed, so it stays valid.";
  return `Valid once, until ${formatClock(validUntil)}.`;
}

/**
 * @param status shown instead of the recipe's own, e.g. that of the profile; null for none
 * @param validity how long the signature may be used, in a sentence
 */
export function signingLines(
  facts: SigningExplanation,
  status: string | null = facts.status,
  validity: string = validitySentence(facts),
): SigningLine[] {
  const { stringToSign, canonicalRequest, bodyDigest, key, headers, unsigned } = facts;
  return [
    plain(`Recipe ${facts.recipe}${status === null ? "" : ` (${status})`}, ${facts.call} request`),
    plain(`${facts.method} ${facts.url}`),
    ...(canonicalRequest === null
      ? []
      : block("Canonical request, hashed into the string to sign", canonicalRequest)),
    ...(stringToSign === null ? [] : block("String to sign", stringToSign)),
    heading("Key and signature"),
    ...(bodyDigest === null
      ? []
      : [plain(`  Body digest ${bodyDigest === "" ? "(none for an empty body)" : bodyDigest}`)]),
    ...(key.bytes === null ? [] : [plain(`  The secret as ${key.encoding}: ${key.bytes} bytes.`)]),
    ...key.derived.map((step, index) => plain(`  Step ${index + 1}: ${step}.`)),
    ...(facts.algorithm === null
      ? []
      : [
          plain(
            `  ${facts.algorithm}: ${facts.signatureBytes ?? 0} bytes, written in ${facts.signatureEncoding}.`,
          ),
        ]),
    { text: `  ${validity}`, role: facts.validUntil === null ? "warning" : null },
    ...(unsigned.length === 0 || stringToSign === null
      ? []
      : [{ text: `  Not signed: ${unsigned.join(", ")}.`, role: "warning" as const }]),
    heading("Headers"),
    ...headers.map(([name, value]) => plain(`  ${name}: ${value}`)),
  ];
}

function block(title: string, lines: readonly VisibleLine[]): SigningLine[] {
  const count = counted(lines.length, "line");
  return [
    heading(`${title}, ${count}`),
    ...lines.map(({ text, end }) => plain(`  ${text}${end === null ? "" : ` <${end}>`}`)),
  ];
}

function heading(text: string): SigningLine {
  return { text, role: "heading" };
}

function plain(text: string): SigningLine {
  return { text: safe(text, { max: LONGEST }), role: null };
}
