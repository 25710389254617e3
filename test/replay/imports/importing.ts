// Imports a text as a file of a name, and gives what became of it.

import { join } from "node:path";
import type { ActionContext } from "#src/actions/action-context.ts";
import { importedEnvelope, importPayloads } from "#src/actions/replay/import-payloads.ts";
import { NO_WORDS, type ImportWords } from "#src/replay/imports/import-map.ts";
import { each, folderOf, NOW } from "../reading.ts";

export interface ImportedText {
  readonly payloads: readonly Record<string, unknown>[];
  /** `place: why` */
  readonly untaken: readonly string[];
}

/** @param options.template of the payloads, in place of a map */
export async function importText(
  name: string,
  text: string | Uint8Array,
  words: Partial<ImportWords> = {},
  options: { readonly template?: string; readonly profile?: object } = {},
): Promise<ImportedText> {
  const { template, profile = {} } = options;
  const context = {
    profile: { amountUnit: "minor", ...profile },
    now: () => NOW,
  } as unknown as ActionContext;
  const payloads: Record<string, unknown>[] = [];
  const untaken: string[] = [];
  const input = {
    files: [join(folderOf({ [name]: text }), name)],
    words: { ...NO_WORDS, ...words },
    template: template === undefined ? null : { bytes: Buffer.from(template), source: "one.json" },
    data: null,
    stdin: each([]),
  };
  for await (const found of importPayloads(context, input, new AbortController().signal, () => undefined)) {
    if ("why" in found) untaken.push(`${found.place}: ${found.why}`);
    else if ("item" in found) payloads.push(importedEnvelope(found) as Record<string, unknown>);
  }
  return { payloads, untaken };
}
