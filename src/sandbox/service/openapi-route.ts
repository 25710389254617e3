// Serves the OpenAPI document of this sandbox, with the options it runs with.

import type { FastifyInstance } from "fastify";
import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { exampleRequest, openApiDocument } from "#src/contract/openapi/openapi.ts";
import { MAGIC_VALUES } from "#src/contract/wire/magic-order.ts";
import type { SandboxSwitches } from "#src/contract/wire/sandbox-wire.ts";
import { HEADER, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { exampleHeaders } from "#src/signing/recipes/example-headers.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";

export const OPENAPI_PATH = "/openapi.json";
export const PAGE_PATH = "/docs";

/** Host of the example request in a document without a server address. */
const EXAMPLE_ORIGIN = "http://127.0.0.1:8787";

/** Settings that have a value where they are not given: ISO 4217, minor units, and magic. */
type WithDefaults = "currencyNumbering" | "registrationCurrencyNumbering" | "amountUnit" | "magic";

/** Options of a sandbox that its document describes. `require` is empty for the four fields of the contract. */
export interface DocumentedOptions
  extends Omit<SandboxSwitches, WithDefaults | "seeded">, Partial<Pick<SandboxSwitches, WithDefaults>> {
  /** How requests must be signed. */
  readonly recipe: Recipe;
  readonly version: string;
}

/**
 * The document of a sandbox with these options.
 * @param server its address, or `/` for the server of the document
 * @throws Fault `bad_input` for a recipe that signs what a request does not carry
 */
export function describeService(options: DocumentedOptions, server: string): JsonObject {
  const { recipe } = options;
  const origin = server === "/" ? EXAMPLE_ORIGIN : server;
  const headers = (call: "check" | "register" | "credential") =>
    exampleHeaders(recipe, call, origin, JSON.stringify(exampleRequest(call, options)));
  return openApiDocument({
    ...options,
    server,
    magic: (options.magic ?? true) ? MAGIC_VALUES : [],
    signing: `Requests are signed by the recipe ${recipe.recipe} (${recipe.status}): ${recipe.about}`,
    headers: { check: headers("check"), register: headers("register"), credential: headers("credential") },
  });
}

/**
 * Needs no authentication, as the document holds no secret. It is created at the first request.
 * @param page the same as HTML, to be read; without it there is none
 */
export function addOpenApiRoute(
  app: FastifyInstance,
  options: DocumentedOptions,
  page?: (document: JsonObject) => Promise<string>,
): void {
  let text: string | null = null;
  app.get(OPENAPI_PATH, (_request, reply) => {
    text ??= JSON.stringify(describeService(options, "/"));
    return reply.header(HEADER.contentType, JSON_MEDIA_TYPE).send(text);
  });
  let html: Promise<string> | null = null;
  if (page === undefined) return;
  app.get(PAGE_PATH, async (_request, reply) => {
    html ??= page(describeService(options, "/"));
    reply.headers({ [HEADER.contentType]: "text/html; charset=utf-8", "x-content-type-options": "nosniff" });
    return reply.send(await html);
  });
}
