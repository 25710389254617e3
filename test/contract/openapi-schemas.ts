// An OpenAPI document under independent validators: of OpenAPI itself, and of JSON Schema 2020-12 for its schemas.

import { Validator } from "@seriousme/openapi-schema-validator";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";

/** What tests look at in a document; anything else of it is for the validator of OpenAPI. */
export interface ReadDocument {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, { readonly post: ReadOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, ReadResponse>>;
    readonly headers: Readonly<Record<string, ReadHeader>>;
    readonly securitySchemes: Readonly<Record<string, { readonly name: string }>>;
  };
}

export interface ReadOperation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly example: string;
  }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody: { readonly content: Readonly<Record<string, ReadContent>> };
  readonly responses: Readonly<Record<string, ReadResponse | { readonly $ref: string }>>;
}

export interface ReadContent {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface ReadHeader {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly schema: object;
}

interface ReadResponse {
  readonly headers: Readonly<Record<string, ReadHeader>>;
  readonly content: Readonly<Record<string, ReadContent>>;
}

/** The answers to a call by status, shared ones too. */
export function answersOf(document: ReadDocument, path: string): Readonly<Record<string, ReadResponse>> {
  const answers = Object.entries(document.paths[path]!.post.responses).map(([status, response]) => {
    if (!("$ref" in response)) return [status, response] as const;
    return [status, document.components.responses[response.$ref.split("/").at(-1)!]!] as const;
  });
  return Object.fromEntries(answers);
}

/** What is wrong with a document by the schema of its own version of OpenAPI, which is 3.1; empty when it is valid. */
export async function problemsOf(document: object): Promise<unknown> {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(document as Record<string, unknown>);
  if (valid && validator.version !== "3.1") return `OpenAPI ${validator.version}`;
  return valid ? [] : errors;
}

/** Why a value does not fit; null when it does. */
export type Judge = (value: unknown) => string | null;

/** Compiles schemas of the document, strictly: an unknown keyword or format throws. */
export function schemasOf(document: ReadDocument): (schema: object) => Judge {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
  addFormats.default(ajv);
  const $defs = relocated(document.components.schemas);
  return (schema) => {
    const fits = ajv.compile({ ...relocated(schema), $defs });
    return (value) => (fits(value) ? null : ajv.errorsText(fits.errors));
  };
}

function relocated(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/")) as object;
}
