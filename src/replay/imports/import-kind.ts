// The kinds of foreign documents whose payments can be imported, recognized by what they hold, and the reader of each, loaded on use.

import type { ForeignKind } from "#src/contract/fields/not-a-payment.ts";
import type { DocumentReader } from "./document-reader.ts";

export const DOCUMENT_READERS: Readonly<Partial<Record<ForeignKind, () => Promise<DocumentReader>>>> = {
  har: async () => (await import("./har.ts")).readHar,
  postman: async () => (await import("./postman.ts")).readPostman,
  openapi: async () => (await import("./openapi.ts")).readOpenApi,
};
