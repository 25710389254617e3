// Error answers of the sandbox: one shape for every refusal (silent point of the spec, section 7).

import { ERROR_SLUGS, type ErrorBody, type ErrorSlug } from "#src/contract/wire/wire.ts";

export interface RefusalDetails {
  /** Which fields of the body are wrong. */
  readonly fields?: ErrorBody["fields"];
  /** Answer header `Retry-After`, in whole seconds. */
  readonly retryAfterS?: number;
  /** Answer header `Allow` of a 405. */
  readonly allow?: string;
  /** The reason, for the log only; it is never sent to the caller. */
  readonly reason?: string;
  /** True to close the connection with the answer instead of reading the rest of the request. */
  readonly close?: boolean;
}

/** Thrown to refuse a request; the service turns it into the answer. `message` is for the caller. */
export class Refusal extends Error {
  readonly slug: ErrorSlug;
  readonly details: RefusalDetails;

  constructor(slug: ErrorSlug, message: string, details: RefusalDetails = {}) {
    super(message);
    this.name = "Refusal";
    this.slug = slug;
    this.details = details;
  }

  get httpStatus(): number {
    return ERROR_SLUGS[this.slug];
  }

  /** Headers of this answer in addition to the common ones. */
  get headers(): Record<string, string> {
    const { retryAfterS, allow, close } = this.details;
    return {
      ...(retryAfterS === undefined ? {} : { "retry-after": String(retryAfterS) }),
      ...(allow === undefined ? {} : { allow }),
      ...(close ? { connection: "close" } : {}),
    };
  }

  body(requestId: string): ErrorBody {
    return {
      status: "error",
      error: this.slug,
      message: this.message,
      request_id: requestId,
      ...(this.details.fields ? { fields: this.details.fields } : {}),
    };
  }
}
