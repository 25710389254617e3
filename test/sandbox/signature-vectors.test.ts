// The signature vectors: who authenticates their requests answers as they say, and every preset has what they are for.

import { expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { createAuthenticator } from "#src/sandbox/service/authenticate.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import type { SandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import type { KeyHolder } from "#src/sandbox/state/stored-accounts.ts";
import type { SandboxState } from "#src/sandbox/state/sandbox-state.ts";
import { HeaderTable } from "#src/signing/header-table.ts";
import { PRESETS, recipeById } from "#src/signing/recipes/presets.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { signatureVectors, type SignatureVector } from "#src/signing/recipes/signature-vectors.ts";

/** What the sandbox refuses with: its status and error, or 200 and null. */
async function answerTo(
  recipe: Recipe,
  vector: SignatureVector,
): Promise<{ status: number; error: string | null }> {
  const { key, headers, sent, method, call, verified_at: at } = vector;
  const { [call === "check" ? "x-project-id" : "x-company-id"]: owner = "" } = headers;
  const holder: KeyHolder = {
    keyId: key.key_id,
    secret: new Secret(key.secret),
    algorithm: key.algorithm,
    companyId: owner,
    projectId: call === "check" ? owner : null,
  };
  const state = {
    accounts: { key: async (id: string) => (id === holder.keyId ? holder : null) },
    rememberSignature: async () => ({ state: "new", durable: Promise.resolve() }),
  } as unknown as SandboxState;
  const authenticate = createAuthenticator({
    recipe,
    state,
    clock: { realNow: () => at * 1000 } as SandboxClock,
    credentialUnsigned: false,
  });
  const { pathname, search } = new URL(sent.url ?? vector.url);
  const received = {
    method,
    path: pathname + search,
    headers: new HeaderTable(sent.headers.flat()),
    body: Buffer.from(sent.body ?? vector.body),
    scheme: "https" as const,
  };
  try {
    await authenticate(received, call, () => undefined);
    return { status: 200, error: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.httpStatus, error: error.slug };
  }
}

test.each(PRESETS.map(({ recipe }) => recipe))(
  "the sandbox answers the vectors of %s as they say",
  async (id) => {
    const recipe = recipeById(id);
    const vectors = signatureVectors(recipe);
    const names = vectors.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(
      new Set(vectors.filter(({ expect: { status } }) => status === 200).map(({ call }) => call)).size,
    ).toBe(3);
    for (const vector of vectors) {
      const { status, error } = vector.expect;
      expect(await answerTo(recipe, vector), vector.name).toEqual({ status, error });
    }
  },
);

test("those of a recipe that signs everything show each thing that can be wrong", () => {
  const refused = signatureVectors(recipeById("http-signatures")).filter(
    ({ expect: { status } }) => status !== 200,
  );
  expect(refused.map(({ name, expect: { status } }) => `${status} ${name}`)).toEqual([
    "401 one changed byte in the body",
    "401 another path",
    "401 another project",
    "401 signed with another secret",
    "401 signed too long ago",
    "401 signed in the future",
    "401 without authorization",
    "400 authorization twice",
  ]);
});
