// The file format of one generation of a document: {"format","schema","rev","sha256","data"} on one line.

import { createHash } from "node:crypto";
import { isJsonObject } from "#src/contract/fields/body-path.ts";

export interface Generation {
  readonly schema: number;
  /** Counts the writes of this document, from 1. */
  readonly rev: number;
  /** Hexadecimal SHA-256 over format, schema, rev and data; identifies the generation. */
  readonly sha256: string;
  readonly data: unknown;
}

/** Serializes a generation; `data` must be JSON. */
export function renderGeneration(format: string, schema: number, rev: number, data: unknown): Buffer {
  const json = JSON.stringify(data);
  const sha256 = checksum(format, schema, rev, json);
  const head = `{"format":${JSON.stringify(format)},"schema":${schema},"rev":${rev},"sha256":"${sha256}"`;
  return Buffer.from(`${head},"data":${json}}\n`, "utf8");
}

/** Parses a generation; null for anything that `renderGeneration` did not write. */
export function parseGeneration(format: string, bytes: Uint8Array): Generation | null {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
  if (!isJsonObject(value)) return null;
  const { format: found, schema, rev, sha256, data } = value;
  if (found !== format || !isCount(schema) || !isCount(rev) || data === undefined) return null;
  if (typeof sha256 !== "string" || sha256 !== checksum(format, schema, rev, JSON.stringify(data)))
    return null;
  return { schema, rev, sha256, data };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

function checksum(format: string, schema: number, rev: number, json: string): string {
  return createHash("sha256")
    .update(`${JSON.stringify([format, schema, rev])}\n${json}`)
    .digest("hex");
}
