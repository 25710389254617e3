// Payments of a HAR 1.2 file, which a browser or a proxy saved: the JSON bodies of its POSTs. Headers, cookies, answers and
// the query of an address hold secrets and are never read.

import { getPath, ownValue } from "#src/contract/fields/body-path.ts";
import { parseMoment } from "#src/contract/text/instant.ts";
import type { ForeignDocument, Found } from "./candidate.ts";
import { foundInBody, shownWord, textAt, type Body } from "./request-body.ts";

const UNREADABLE: Body = {
  why: "Its startedDateTime is not a time; write one such as 2026-03-01T12:00:00Z, or take it out.",
};

/** Every POST, with the time at which it was sent; other methods send no check and are passed over. */
export function* readHar({ label, json }: ForeignDocument): Generator<Found> {
  const entries = getPath(json.value, "log.entries");
  for (const [index, entry] of (Array.isArray(entries) ? entries : []).entries()) {
    const request = ownValue(entry, "request");
    if (textAt(request, "method").toUpperCase() !== "POST") continue;
    const place = `${label}: entry ${index + 1}, POST ${address(textAt(request, "url"))}`;
    const started = ownValue(entry, "startedDateTime") ?? null;
    const at = parseMoment(started);
    // Without its time a payment would be counted as one of another time.
    const body = started !== null && at === null ? UNREADABLE : bodyOf(ownValue(request, "postData"));
    yield foundInBody(body, { place, name: null, at });
  }
}

function bodyOf(postData: unknown): Body<string | Uint8Array> {
  const text = textAt(postData, "text");
  if (/form-urlencoded|multipart/i.test(textAt(postData, "mimeType")))
    return { why: "Its body is a form, not JSON." };
  if (text === "")
    return { why: "It has no body; a recorder may leave bodies out, or keep them in files of their own." };
  // Not in HAR 1.2, whose answers have it: some recorders write bytes so.
  return { text: textAt(postData, "encoding") === "base64" ? Buffer.from(text, "base64") : text };
}

/** Host and path, without user, password, query and fragment. */
function address(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? "an unreadable address" : shownWord(`${parsed.host}${parsed.pathname}`);
}
