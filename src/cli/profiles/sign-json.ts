// An explained signature as JSON. The secret is not in it.

import type { ExplainedSigning } from "#src/actions/check/explain-signing.ts";

type Lines = ExplainedSigning["stringToSign"];

/** What `verdict sign --json` prints. `valid_until` is null where no time is signed. */
export function signingJson(explained: ExplainedSigning): Record<string, unknown> {
  return {
    schema: 1,
    recipe: explained.recipe,
    status: explained.status,
    call: explained.call,
    method: explained.method,
    url: explained.url,
    headers: Object.fromEntries(explained.headers),
    body: explained.body,
    string_to_sign: linesJson(explained.stringToSign),
    canonical_request: linesJson(explained.canonicalRequest),
    body_digest: explained.bodyDigest,
    key: explained.key,
    algorithm: explained.algorithm,
    signature: { encoding: explained.signatureEncoding, bytes: explained.signatureBytes },
    valid_until: explained.validUntil === null ? null : new Date(explained.validUntil).toISOString(),
    unsigned: explained.unsigned,
    command: explained.command,
  };
}

function linesJson(lines: Lines): readonly unknown[] | null {
  return lines === null ? null : lines.map(({ text, end }) => ({ text, end }));
}
