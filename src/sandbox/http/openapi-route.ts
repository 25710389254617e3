// The service's own OpenAPI document: under which switches it runs, and where it is asked for.

import type { FastifyInstance } from "fastify";
import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { exampleRequest, openApiDocument } from "#src/contract/openapi/openapi.ts";
import { HEADER, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { exampleHeaders } from "#src/signing/recipes/example-headers.ts";
import { MAGIC_VALUES } from "#src/sandbox/decisions/magic.ts";
import type { SandboxOptions } from "#src/sandbox/run-sandbox.ts";

export const OPENAPI_PATH = "/openapi.json";

/** Where the example request goes in a document that does not say where it is served. */
const EXAMPLE_ORIGIN = "http://127.0.0.1:8787";

type DocumentedOptions = Pick<
  SandboxOptions,
  | "recipe"
  | "require"
  | "currencyNumbering"
  | "amountUnit"
  | "credentialUnsigned"
  | "credentialDelayS"
  | "magic"
  | "version"
>;

/**
 * The document of a sandbox with these options.
 * @param server its address, or `/` for wherever the document comes from
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

/** Serves the document to anybody: it holds no secret. It is made when it is first asked for. */
export function addOpenApiRoute(app: FastifyInstance, options: DocumentedOptions): void {
  let text: string | null = null;
  app.get(OPENAPI_PATH, (_request, reply) => {
    text ??= JSON.stringify(describeService(options, "/"));
    return reply.header(HEADER.contentType, JSON_MEDIA_TYPE).send(text);
  });
}
