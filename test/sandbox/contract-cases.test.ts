// The contract cases hold, with every recipe, byte for byte over a socket; examples/contract has them and the vectors.

import { connect } from "node:net";
import { expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { safeJson } from "#src/display/safe.ts";
import { PRESETS, recipeById } from "#src/signing/recipes/presets.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import { signatureVectors } from "#src/signing/recipes/signature-vectors.ts";
import { ENDPOINTS, type Call } from "#src/contract/wire/wire.ts";
import { sign, type Identity } from "#src/signing/sign.ts";
import { contractCases, type ContractCase } from "./contract-cases.ts";
import { credentialOf, startSandbox, type Answer, type SandboxUnderTest } from "./sandbox-under-test.ts";

const FILES = "../../examples/contract";

/** Writes the bytes, and reads until the service closes. */
async function exchange(port: number, bytes: Buffer): Promise<Answer> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.write(bytes);
  });
  const [head = "", text = ""] = Buffer.concat(chunks).toString("utf8").split("\r\n\r\n", 2);
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => [line.split(":", 1)[0]!.toLowerCase(), line.replace(/^.*?: */, "")]);
  const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(headers) as Answer["headers"],
    text,
    body,
  };
}

function bodyOf({ body = "", body_base64: base64, padded_to: size }: ContractCase, run: string): Buffer {
  const bytes =
    base64 === undefined ? Buffer.from(body.replaceAll("{run}", run)) : Buffer.from(base64, "base64");
  return size === undefined ? bytes : Buffer.concat([bytes, Buffer.alloc(size - bytes.length, " ")]);
}

function requestOf(
  recipe: Recipe,
  each: ContractCase,
  port: number,
  keys: { readonly [signer in "company" | "project"]?: Identity },
  nowMs: number,
  adminToken: string,
): Buffer {
  const { method, path, signer, signed_with: wrong, changed } = each;
  let body = bodyOf(each, "r1");
  let headers: [string, string][] = Object.entries({ host: `127.0.0.1:${port}`, ...each.headers });
  if (signer === "administration") headers.push(["authorization", `Bearer ${adminToken}`]);
  else if (signer !== undefined) {
    const key = keys[signer]!;
    const { keyId = key.keyId, owner } = { keyId: wrong?.key_id, owner: wrong?.owner };
    const identity: Identity = {
      keyId,
      algorithm: key.algorithm,
      secret: wrong?.secret === undefined ? key.secret : new Secret(wrong.secret),
      projectId: owner ?? key.projectId ?? "",
      companyId: owner ?? key.companyId ?? "",
    };
    const call = (Object.keys(ENDPOINTS) as Call[]).find((name) => ENDPOINTS[name].path === path)!;
    const url = new URL(path, `http://127.0.0.1:${port}`);
    const at = { nowMs: nowMs + (wrong?.offset_s ?? 0) * 1000 };
    headers = Object.entries(
      sign(recipe, { method, url, headers: each.headers, body }, identity, at, call).headers,
    );
  }
  if (changed?.body !== undefined) body = Buffer.from(changed.body);
  const sent = headers
    .filter(([name]) => name !== changed?.without)
    .flatMap(([name, value]) =>
      name === changed?.twice
        ? [
            [name, value],
            [name, value],
          ]
        : [[name, value]],
    );
  const lines = [...sent, ["content-length", String(body.length)], ["connection", "close"]];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n`), body]);
}

/** Members of an object as they are expected; `true` stands for any value, null for none. */
function fits(wanted: unknown, got: unknown): boolean {
  if (wanted === true) return got !== undefined && got !== null;
  if (wanted === null) return got === undefined || got === null;
  if (typeof wanted !== "object") return wanted === got;
  if (Array.isArray(wanted) && wanted.length !== (got as unknown[] | undefined)?.length) return false;
  return Object.entries(wanted).every(([key, value]) => fits(value, (got as Record<string, unknown>)?.[key]));
}

async function failuresOf(recipe: Recipe, sandbox: SandboxUnderTest): Promise<string[]> {
  const keys: { company: Identity; project?: Identity } = { company: await sandbox.company() };
  const now = Date.now();
  const failures: string[] = [];
  let bytes: Buffer = Buffer.alloc(0);
  // Without a nonce each has a time of its own, so that two equal ones are told apart.
  for (const [index, each] of contractCases(recipe).entries()) {
    const port = each.signer === "administration" ? sandbox.adminPort : sandbox.port;
    if (each.again !== true) {
      bytes = requestOf(
        recipe,
        each,
        port,
        keys,
        now + 1000 * (recipe.nonce === null ? index - 200 : 0),
        sandbox.adminToken,
      );
    }
    const answer = await exchange(port, bytes);
    const { status, headers, body } = each.expect;
    if (answer.status !== status || !fits(headers ?? {}, answer.headers) || !fits(body ?? {}, answer.body)) {
      failures.push(`${each.name}: ${answer.status} ${answer.text}`);
    }
    if (each.keep === true) keys.project = credentialOf(answer);
  }
  return failures;
}

test.each(PRESETS.map(({ recipe }) => recipe))(
  "the contract cases hold where requests are signed by %s",
  async (id) => {
    const recipe = recipeById(id);
    const sandbox = await startSandbox({ recipe, seed: 1, ephemeral: true });
    expect(await failuresOf(recipe, sandbox)).toEqual([]);
  },
);

test("the files of the example are those of the tables", async () => {
  const lines = (values: readonly object[]): string => values.map((value) => `${safeJson(value)}\n`).join("");
  const cases = contractCases(recipeById("http-signatures"));
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  await expect(lines(cases)).toMatchFileSnapshot(`${FILES}/cases.ndjson`);
  await expect(lines(PRESETS.flatMap(signatureVectors))).toMatchFileSnapshot(
    `${FILES}/signature-vectors.ndjson`,
  );
});
