// The largest document that is read whole, such as a payload, a rule file or an export of the vault.

export const DOCUMENT_LIMIT_BYTES = 5 * 1024 * 1024;

/** The rest of a sentence about a document beyond it. */
export const TOO_LARGE = "is larger than 5 MiB; give a smaller file.";
