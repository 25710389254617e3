// The service's own OpenAPI document: under which switches it runs, and where it is asked for.

import type { FastifyInstance } from "fastify";
import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { exampleRequest, openApiDocument } from "#src/contract/openapi/openapi.ts";
import type { AmountUnit, CurrencyNumbering } from "#src/contract/records/profile.ts";
import { HEADER, JSON_MEDIA_TYPE } from "#src/contract/wire/wire.ts";
import { MAGIC_VALUES } from "#src/sandbox/decisions/magic.ts";
import { exampleHeaders } from "#src/signing/recipes/example-headers.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";

export const OPENAPI_PATH = "/openapi.json";

/** Where the example request goes in a document that does not say where it is served. */
const EXAMPLE_ORIGIN = "http://127.0.0.1:8787";

/** What of a sandbox its document tells. */
export interface DocumentedOptions {
  /** How requests must be signed. */
  readonly recipe: Recipe;
  /** From a registration until its credential is ready, in virtual seconds. */
  readonly credentialDelayS: number;
  /** Dotted paths of the fields a check must have; empty for the four of the contract. */
  readonly require: readonly string[];
  /** What the numbers of `currency` are, in checks and registrations; those of ISO 4217 when absent. */
  readonly currencyNumbering?: CurrencyNumbering;
  /** Unit of amounts on the wire; minor when absent. */
  readonly amountUnit?: AmountUnit;
  /** Accept a credential request with an empty `Authorization`, as in the sample (spec 4.3). */
  readonly credentialUnsigned: boolean;
  /** Order ids that force an answer count; they do when absent. */
  readonly magic?: boolean;
  readonly version: string;
}

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
