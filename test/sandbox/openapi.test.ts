// The sandbox against its own OpenAPI document: every answer that is documented is really given, and fits.

import { rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { Secret } from "#src/contract/secret.ts";
import { ENDPOINTS, type Call } from "#src/contract/wire/wire.ts";
import { describeService, OPENAPI_PATH } from "#src/sandbox/service/openapi-route.ts";
import { PRESETS, recipeById } from "#src/signing/recipes/presets.ts";
import type { Identity } from "#src/signing/sign.ts";
import {
  answersOf,
  problemsOf,
  schemasOf,
  type ReadDocument,
  type ReadHeader,
} from "../contract/openapi-schemas.ts";
import {
  call,
  CHECK,
  DAY,
  makeProject,
  registration,
  send,
  signedCall,
  startSandbox,
  type Answer,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

const CALLS = Object.keys(ENDPOINTS) as Call[];

/** A sandbox, who may make the call, and a body for it. */
async function ready(name: Call, options: Parameters<typeof startSandbox>[0] = {}) {
  const sandbox = await startSandbox(options);
  const company = await sandbox.company();
  const project = await makeProject(sandbox, company);
  const bodies: Readonly<Record<Call, JsonObject>> = {
    check: { ...CHECK },
    register: registration("another"),
    credential: { merchant_id: "shop", risk_level: "medium" },
  };
  return { sandbox, company, project, identity: name === "check" ? project : company, body: bodies[name] };
}

async function documentOf(sandbox: SandboxUnderTest): Promise<ReadDocument> {
  const { text } = await send(sandbox.port, { path: OPENAPI_PATH });
  return JSON.parse(text) as ReadDocument;
}

/** Reads what comes back for raw text until the connection ends; `later` runs after the first bytes came. */
async function raw(
  port: number,
  text: string,
  later?: (write: (more: string) => void) => void,
): Promise<Answer> {
  const whole = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    if (later) socket.once("data", () => later((more) => void socket.write(more)));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
    socket.write(text);
  });
  const last = whole.slice(whole.lastIndexOf("HTTP/1.1 "));
  const [head, body] = last.split("\r\n\r\n", 2) as [string, string];
  const [start, ...lines] = head.split("\r\n");
  const headers = lines.map((line) => [line.split(": ", 1)[0]!.toLowerCase(), line.replace(/^[^:]*: /, "")]);
  return {
    status: Number(start!.split(" ")[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    text: body,
    body: JSON.parse(body) as Record<string, unknown>,
  };
}

/** Answers of one sandbox: its success last, because a registration can succeed only once. */
async function plainAnswers(name: Call): Promise<Answer[]> {
  const { sandbox, company, project, identity, body } = await ready(name);
  const ask = (sent: unknown, by: Identity = identity, headers: Record<string, string> = {}) =>
    call(sandbox, name, by, sent, { headers: (signed) => ({ ...signed, ...headers }) });
  const stranger = { ...identity, secret: new Secret("0".repeat(64)) };
  const foreigner =
    name === "check" ? { ...company, projectId: "prj-0" } : { ...project, companyId: "com-0" };
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`x-${number}`, "1"]));
  const answers = [
    await ask("{"),
    await ask({}),
    await ask({ ...body, merchant_id: 1, amount: "1" }),
    await ask({ ...body, note: "4111 1111 1111 1111" }),
    await ask(body, stranger),
    await ask(body, foreigner),
    await ask(body, identity, { "content-type": "text/plain" }),
    await ask(body, identity, many),
    await ask(JSON.stringify(body) + " ".repeat(65_537)),
    await ask(body),
  ];
  if (name === "check") {
    for (const prefix of ["force-pass", "force-block", "force-3ds", "force-500"]) {
      answers.push(await ask({ ...body, order_id: `${prefix}-1` }));
    }
  }
  if (name === "register") answers.push(await ask(body));
  if (name === "credential") {
    answers.push(await ask({ ...body, merchant_id: "nobody" }));
    await call(sandbox, "register", company, registration("late"));
    answers.push(await ask({ ...body, merchant_id: "late" }));
    await sandbox.clock({ do: "advance", byMs: DAY });
    answers.push(await ask(body));
  }
  return answers;
}

async function untilRefused(name: Call): Promise<Answer> {
  const { sandbox, identity, body } = await ready(name, { limits: { replayCapacity: 4 } });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const answer = await call(sandbox, name, identity, body);
    if (answer.status === 429) return answer;
  }
  throw new Error("never refused");
}

async function tooSlow(name: Call): Promise<Answer> {
  const sandbox = await startSandbox({ limits: { headersMs: 200, requestMs: 400 } });
  const { path } = ENDPOINTS[name];
  return await raw(
    sandbox.port,
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
  );
}

async function ownFailure(name: Call): Promise<Answer> {
  let fails = false;
  const realNow = (): number => {
    if (!fails) return Date.now();
    fails = false;
    throw new Error("a failure of our own");
  };
  const { sandbox, identity, body } = await ready(name, { realNow });
  fails = true;
  return await call(sandbox, name, identity, body);
}

/** A request that began to arrive before the stop and was whole after it. */
async function whileStopping(name: Call): Promise<Answer> {
  const sandbox = await startSandbox();
  const begun = `POST ${ENDPOINTS[name].path} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n`;
  return await raw(sandbox.port, `GET /health HTTP/1.1\r\nhost: x\r\n\r\n${begun}`, (write) => {
    void sandbox.stop();
    write("\r\n{}");
  });
}

async function unwritable(): Promise<Answer> {
  const { sandbox, identity, body } = await ready("check");
  await rm(join(sandbox.dir, "state", "state.db"));
  const answer = await call(sandbox, "check", identity, body);
  await sandbox.stop().catch(() => undefined);
  return answer;
}

test.each(CALLS)("every documented answer to %s is really given, and fits", async (name) => {
  const document = await documentOf(await startSandbox());
  const responses = answersOf(document, ENDPOINTS[name].path);
  const compile = schemasOf(document);
  const answers = [
    ...(await plainAnswers(name)),
    await untilRefused(name),
    await tooSlow(name),
    await ownFailure(name),
    await whileStopping(name),
    ...(name === "check" ? [await unwritable()] : []),
  ];
  const seen = new Set<string>();
  for (const { status, headers, text, body } of answers) {
    const said = `${status} ${text}`;
    const response = responses[status];
    expect(response, said).toBeDefined();
    const { schema } = response!.content["application/json"]!;
    expect(headers["content-type"]).toMatch(/^application\/json(?:;|$)/);
    expect(compile(schema)(body), said).toBeNull();
    expect(knownKeys(document, name, status), said).toEqual(expect.arrayContaining(Object.keys(body)));

    for (const [header, reference] of Object.entries(response!.headers)) {
      const described = resolve(document, reference);
      const value = headers[header];
      if (value === undefined) expect(described.required ?? false, `${header} of ${said}`).toBe(false);
      else expect(compile(described.schema)(typed(described, String(value))), header).toBeNull();
    }
    const own = Object.keys(headers).filter((header) => /^x-|^retry-after$/.test(header));
    expect(Object.keys(response!.headers), said).toEqual(expect.arrayContaining(own));
    seen.add(`${status} ${String(body["error"] ?? body["status"])}`);
  }
  const documented = Object.entries(responses).flatMap(([status, { content }]) => {
    const slugs = Object.keys(content["application/json"]!.examples ?? { success: null });
    return slugs.map((slug) => `${status} ${slug}`);
  });
  expect([...seen].sort()).toEqual(documented.sort());
});

function knownKeys(document: ReadDocument, name: Call, status: number): string[] {
  const answer = { check: "CheckAnswer", register: "RegistrationAnswer", credential: "CredentialAnswer" }[
    name
  ];
  const schema = document.components.schemas[status === 200 ? answer : "Error"]!;
  return Object.keys((schema as { readonly properties: object }).properties);
}

function resolve(document: ReadDocument, header: ReadHeader): ReadHeader {
  return header.$ref === undefined ? header : document.components.headers[header.$ref.split("/").at(-1)!]!;
}

/** A header as the type that its schema has. */
function typed({ schema }: ReadHeader, text: string): unknown {
  return (schema as { readonly type: string }).type === "integer" ? Number(text) : text;
}

test("the document is served to anybody, and is that of the sandbox's own switches", async () => {
  const options = { require: ["payer.email"], credentialUnsigned: true, credentialDelayS: 7 };
  const sandbox = await startSandbox(options);
  const answer = await send(sandbox.port, { path: OPENAPI_PATH });
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toMatch(/^application\/json(?:;|$)/);
  expect(answer.headers["x-verdict-sandbox"]).toBe("1");
  const recipe = recipeById("http-signatures");
  expect(answer.body).toEqual(
    JSON.parse(JSON.stringify(describeService({ ...options, recipe, version: "0.0.0-test" }, "/"))),
  );
  const document = await documentOf(sandbox);
  expect(document.components.schemas["CheckRequest"]).toMatchObject({ required: ["payer"] });
  expect(document.paths["/projects/credential"]!.post.description).toMatch(/from 7 s .*unsigned/);
  expect((await send(sandbox.port, { method: "POST", path: OPENAPI_PATH })).status).toBe(405);
});

test("the document says what form a nonce has, and that any other is answered 401 without a reason", async () => {
  const recipe = recipeById("http-signatures");
  const forms = { uuid4: "a UUID of version 4", "hex:32": "32 hexadecimal digits", "alnum:8": "8 letters" };
  for (const [format, words] of Object.entries(forms)) {
    const nonce = { header: "x-request-id", format: format as "uuid4" };
    const text = JSON.stringify(
      describeService(
        {
          recipe: { ...recipe, nonce },
          require: [],
          credentialUnsigned: false,
          credentialDelayS: 5,
          version: "0.0.0-test",
        },
        "/",
      ),
    );
    expect(text).toContain(`Another one for every request: ${words}`);
    expect(text).toContain("401, which never says why");
    expect(text).toContain("no byte order mark");
  }
});

test("the fields that are documented as required are those that the sandbox requires", async () => {
  for (const name of CALLS) {
    const { sandbox, identity } = await ready(name);
    const document = await documentOf(sandbox);
    const { schema } = document.paths[ENDPOINTS[name].path]!.post.requestBody.content["application/json"]!;
    const reference = (schema as { readonly $ref: string }).$ref.split("/").at(-1)!;
    const { required } = document.components.schemas[reference] as { readonly required: readonly string[] };
    const { body } = await call(sandbox, name, identity, {});
    const missing = (body["fields"] as { readonly path: string }[]).map(({ path }) => path);
    expect(missing.sort()).toEqual([...required].sort());
  }
});

test.each(PRESETS.map(({ recipe }) => recipe))(
  "the recipe %s has a valid document with the headers that it really sends",
  async (id) => {
    const recipe = recipeById(id);
    const options = { recipe, require: [], credentialUnsigned: false, credentialDelayS: 5, version: "1.0.0" };
    const made = JSON.parse(
      JSON.stringify(describeService(options, "http://127.0.0.1:8787")),
    ) as ReadDocument;
    expect(await problemsOf(made)).toEqual([]);
    const key = { keyId: "hmac-sha256-7", algorithm: "hmac-sha256", secret: new Secret("ab".repeat(32)) };
    const identity = { ...key, projectId: "prj-7", companyId: "com-7" };
    for (const name of CALLS) {
      const { parameters = [], security } = made.paths[ENDPOINTS[name].path]!.post;
      const schemes = Object.keys(security[0]!).map((each) => made.components.securitySchemes[each]!.name);
      const documented = [...parameters.map((each) => each.name), ...schemes, "content-type", "host"];
      const { headers } = signedCall(8787, name, identity, {}, { recipe });
      expect(documented.sort()).toEqual(Object.keys(headers!).sort());
    }
  },
);

test("every header that is documented as required is required", async () => {
  const { sandbox, identity } = await ready("check");
  const { parameters = [], security } = (await documentOf(sandbox)).paths["/v1/check"]!.post;
  expect(parameters.map(({ name }) => name).sort()).toEqual(["date", "digest", "x-request-id"]);
  expect(Object.keys(security[0]!).sort()).toEqual(["keyId", "projectId", "signature"]);
  const names = [...parameters.map(({ name }) => name), "x-key-id", "x-project-id", "authorization"];
  for (const left of names) {
    const answer = await call(sandbox, "check", identity, CHECK, {
      headers: (signed) => Object.fromEntries(Object.entries(signed).filter(([name]) => name !== left)),
    });
    expect(answer.status, left).toBe(401);
  }
  expect((await call(sandbox, "check", identity, CHECK)).status).toBe(200);
});
