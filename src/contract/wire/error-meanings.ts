// The meaning of each error slug, and the calls that can be refused with it.

import type { Call, ErrorSlug } from "./wire.ts";

export interface ErrorMeaning {
  /** Calls that can be refused with it; empty where the address or method is unknown. */
  readonly calls: readonly Call[];
  /** One sentence. */
  readonly help: string;
  /** Whether the header Retry-After says when to try again. */
  readonly retryAfter?: "always" | "sometimes";
}

const EVERY: readonly Call[] = ["check", "register", "credential"];

/** Not specified (spec section 7). */
export const ERROR_MEANINGS: Readonly<Record<ErrorSlug, ErrorMeaning>> = {
  invalid_json: { calls: EVERY, help: "The body is not strict JSON." },
  invalid_request: {
    calls: EVERY,
    help: "Fields of the body are wrong or missing, or the request is not HTTP that can be read.",
  },
  card_data_refused: {
    calls: EVERY,
    help: "The body holds a full card number or card verification data.",
  },
  unauthorized: {
    calls: EVERY,
    help: "The request could not be authenticated; one answer for every reason.",
  },
  forbidden: { calls: EVERY, help: "The key does not belong to the project or company that is named." },
  not_found: { calls: [], help: "There is nothing at this address." },
  credential_not_ready: {
    calls: ["credential"],
    help: "The credential is not ready yet.",
    retryAfter: "always",
  },
  project_not_found: {
    calls: ["credential"],
    help: "No project of this merchant and risk level is registered.",
  },
  method_not_allowed: { calls: [], help: "The address answers to another method." },
  request_timeout: { calls: EVERY, help: "The request took too long to arrive." },
  project_exists: {
    calls: ["register"],
    help: "The company has a project of this merchant and risk level.",
  },
  credential_window_closed: {
    calls: ["credential"],
    help: "The 24 hours after the registration are over; the administrative panel has the credential.",
  },
  body_too_large: { calls: EVERY, help: "The body is too large." },
  unsupported_media_type: {
    calls: EVERY,
    help: "The body is not announced as JSON, or it is compressed.",
  },
  too_many_requests: {
    calls: EVERY,
    help: "Too many requests within the signature window.",
    retryAfter: "always",
  },
  headers_too_large: { calls: EVERY, help: "The headers are too large or too many." },
  internal_error: { calls: EVERY, help: "The service failed; what became of the request is not known." },
  unavailable: {
    calls: EVERY,
    help: "The service is stopping, or cannot store what it must remember; this request decided nothing.",
    retryAfter: "sometimes",
  },
};
