// What stood in the form of a check when the console was left, one draft for each profile.

import { findCardData } from "#src/contract/fields/card-data.ts";
import type { KeptDraft } from "#src/contract/records/kept-draft.ts";
import { isRecommendation } from "#src/contract/wire/recommendation.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { asList, asNullable, asObject, asText } from "#src/storage/record-shape.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { openDocument } from "./document.ts";

export interface DraftMemory {
  /** Null where none was left. @throws Fault("corrupt" | "storage") */
  find(profile: string): Promise<KeptDraft | null>;
  /** Replaces the draft of a profile, or forgets it. @throws Fault("corrupt" | "storage") */
  keep(profile: string, draft: KeptDraft | null): Promise<void>;
}

interface DraftData {
  drafts: { readonly profile: string; readonly draft: KeptDraft }[];
}

/** Opens the memory; touches no file before the first call. */
export function openDraftMemory(options: {
  readonly path: string;
  readonly onProblem: OnProblem;
  readonly fs?: FileSystem;
}): DraftMemory {
  const document = openDocument<DraftData>({
    ...options,
    format: "verdict/drafts",
    schema: 1,
    initial: () => ({ drafts: [] }),
    parse: (value) => ({
      drafts: asList(asObject(value)["drafts"]).map((each) => {
        const { profile, draft } = asObject(each);
        return { profile: asText(profile), draft: parseDraft(draft) };
      }),
    }),
  });
  return {
    find: async (name) =>
      (await document.read()).drafts.find(({ profile }) => profile === name)?.draft ?? null,
    keep: (name, draft) =>
      document.update((data) => {
        const others = data.drafts.filter(({ profile }) => profile !== name);
        data.drafts = draft === null ? others : [...others, { profile: name, draft }];
      }),
  };
}

function parseDraft(value: unknown): KeptDraft {
  const { request, payload, leftOut } = asObject(value);
  if (findCardData(request) !== null) throw new TypeError("card data");
  return {
    request: asObject(request),
    payload: asNullable(payload, (facts) => {
      const { name, expect, tags } = asObject(facts);
      return {
        name: asText(name),
        expect: isRecommendation(expect) ? expect : null,
        tags: asList(tags).map(asText),
      };
    }),
    leftOut: asList(leftOut).map(asText),
  };
}
