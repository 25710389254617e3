// The version of this build.

declare const VERDICT_VERSION: string | undefined;

/** From package.json at build time; `0.0.0-source` for unbundled sources, as in tests. */
export const VERSION: string = typeof VERDICT_VERSION === "string" ? VERDICT_VERSION : "0.0.0-source";
