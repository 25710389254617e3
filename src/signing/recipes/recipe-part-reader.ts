// Reads the parts of a recipe document: format, limits and placeholders; errors have their position.

import type { Node } from "yaml";
import type { YamlSource } from "#src/contract/text/yaml-source.ts";
import { CANONICAL_STYLES } from "#src/signing/canonical/canonical.ts";
import {
  DIGEST_HASHES,
  SIGNATURE_ENCODINGS,
  TIME_FORMATS,
  type BodyDigest,
  type Canonical,
  type Recipe,
  type RecipeNonce,
  type RecipeTime,
} from "./recipe.ts";
import { isFilter, strayBrace } from "./template.ts";
import { isNonceFormat } from "./time-format.ts";

export type Nodes = ReadonlyMap<string, Node | null>;

const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
const PRINTABLE = /^[\x20-\x7e]*$/;
const PRINTABLE_LINES = /^[\x20-\x7e\r\n]*$/;
const TEMPLATE_LIMIT = 4_096;
const LIST_LIMIT = 64;
const DAY_S = 86_400;

export class PartReader {
  readonly #source: YamlSource;

  constructor(source: YamlSource) {
    this.#source = source;
  }

  id(node: Node | null, what: string): string {
    const { value } = this.#source.text(node, what);
    if (ID.test(value)) return value;
    throw this.#source.fault(
      node,
      `${what} must be 1 to 64 of a-z, 0-9, dot, dash and underscore, no mark first`,
    );
  }

  /** Any text, empty too. */
  anyText(node: Node | null, what: string): string {
    const { value } = this.#source.scalar(node, what);
    if (typeof value === "string") return value;
    throw this.#source.fault(node, `${what} must be a text; put it in quotes`);
  }

  line(node: Node | null, what: string): string {
    const text = this.anyText(node, what);
    if (text.length <= 200 && PRINTABLE.test(text)) return text;
    throw this.#source.fault(node, `${what} must be one line of up to 200 printable ASCII characters`);
  }

  template(node: Node | null, what: string, allowed: RegExp = PRINTABLE): string {
    const text = this.anyText(node, what);
    if (text.length > TEMPLATE_LIMIT || !allowed.test(text)) {
      throw this.#source.fault(node, `${what} must be printable ASCII of up to ${TEMPLATE_LIMIT} characters`);
    }
    for (const [whole, filter] of text.matchAll(/\{[a-z0-9_.-]+:([a-z]+)\}/g)) {
      if (!isFilter(filter!)) throw this.#source.fault(node, `${what} has an unknown filter in ${whole}`);
    }
    if (strayBrace(text) !== null) {
      throw this.#source.fault(node, `${what} has a brace that belongs to no placeholder such as {key_id}`);
    }
    return text;
  }

  templates(node: Node | null, what: string): string[] {
    if (node === null) return [];
    return this.#list(node, what).map((item) => this.template(item, `an item of ${what}`));
  }

  /** Header templates by name. */
  headers(node: Node | null, what: string): Record<string, string> {
    return this.#headerMap(node, what, (value, name) => this.template(value, `${name} of ${what}`));
  }

  plainHeaders(node: Node | null, what: string): Record<string, string> {
    return this.#headerMap(node, what, (value, name) => {
      const text = this.anyText(value, `${name} of ${what}`);
      if (text.length <= TEMPLATE_LIMIT && PRINTABLE.test(text)) return text;
      throw this.#source.fault(value, `${name} of ${what} must be printable ASCII`);
    });
  }

  values(node: Node | null): Record<string, string> {
    const values: Record<string, string> = {};
    if (node === null) return values;
    for (const [name, { keyNode, value }] of this.#source.entries(node, "values")) {
      if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) {
        throw this.#source.fault(
          keyNode,
          `a value cannot be called "${name}"; use small letters, digits and _`,
        );
      }
      const text = this.line(value, name);
      if (/["\\{}]/.test(text)) {
        throw this.#source.fault(value, `${name} must hold no quotes, backslashes or braces`);
      }
      values[name] = text;
    }
    return values;
  }

  time(node: Node | null): RecipeTime | null {
    if (this.#isNothing(node)) return null;
    const keys = this.#source.map(node, "time", ["header", "format", "skew_s"]);
    const skew = keys.has("skew_s")
      ? this.#source.number(keys.get("skew_s") ?? node, "skew_s", 1, DAY_S)
      : 300;
    if (!Number.isInteger(skew))
      throw this.#source.fault(keys.get("skew_s") ?? node, "skew_s must be a whole number");
    return {
      header: this.#headerOrNull(keys),
      format: this.#source.choice(keys.get("format") ?? node, "format of time", TIME_FORMATS),
      skew_s: skew,
    };
  }

  nonce(node: Node | null): RecipeNonce | null {
    if (this.#isNothing(node)) return null;
    const keys = this.#source.map(node, "nonce", ["header", "format"]);
    const formatNode = keys.get("format") ?? node;
    const { value } = this.#source.text(formatNode, "format of nonce");
    if (!isNonceFormat(value)) {
      throw this.#source.fault(formatNode, "format of nonce must be uuid4, hex:N with an even N, or alnum:N");
    }
    return { header: this.#headerOrNull(keys), format: value };
  }

  bodyDigest(node: Node | null): BodyDigest | null {
    if (this.#isNothing(node)) return null;
    const keys = this.#source.map(node, "body_digest", ["header", "hash", "over", "render", "empty"]);
    const render = this.template(keys.get("render") ?? node, "render of body_digest");
    if (!/\{(?:b64|hex)\}/.test(render)) {
      throw this.#source.fault(keys.get("render") ?? node, "render of body_digest must hold {b64} or {hex}");
    }
    const over = keys.has("over")
      ? this.template(keys.get("over")!, "over of body_digest", PRINTABLE_LINES)
      : "{body}";
    if (!over.includes("{body}")) {
      throw this.#source.fault(keys.get("over") ?? node, "over of body_digest must hold {body}");
    }
    return {
      header: this.#headerOrNull(keys),
      hash: keys.has("hash")
        ? this.#source.choice(keys.get("hash")!, "hash of body_digest", DIGEST_HASHES)
        : "sha256",
      over,
      render,
      empty: keys.has("empty")
        ? this.#source.choice(keys.get("empty")!, "empty of body_digest", ["hash", "omit"])
        : "hash",
    };
  }

  signature(node: Node | null): Recipe["signature"] {
    if (node === null) return { encoding: "base64" };
    const keys = this.#source.map(node, "signature", ["encoding"]);
    return {
      encoding: this.#source.choice(
        keys.get("encoding") ?? node,
        "encoding of signature",
        SIGNATURE_ENCODINGS,
      ),
    };
  }

  canonical(node: Node | null): Canonical | null {
    if (this.#isNothing(node)) return null;
    const source = this.#source;
    const styleNode = source.entries(node, "canonical").get("style")?.value ?? node;
    const style = source.choice(styleNode, "style", CANONICAL_STYLES);
    const of = (own: readonly string[]): Map<string, Node | null> =>
      source.map(node, `canonical of style ${style}`, ["style", "components", ...own]);
    const text = (keys: Nodes, key: string): string =>
      this.template(keys.get(key) ?? node, `${key} of canonical`, PRINTABLE_LINES);
    switch (style) {
      case "header-lines": {
        const keys = of(["join"]);
        return {
          style,
          components: this.#components(keys, node),
          join: keys.has("join") ? text(keys, "join") : "\n",
        };
      }
      case "rfc9421": {
        const keys = of(["params"]);
        return {
          style,
          components: this.#components(keys, node),
          params: this.templates(keys.get("params") ?? null, "params"),
        };
      }
      case "template": {
        const keys = of(["text"]);
        return { style, text: text(keys, "text"), components: this.#components(keys, null) };
      }
      case "two-stage": {
        const keys = of(["request", "hash", "text"]);
        return {
          style,
          request: text(keys, "request"),
          hash: keys.has("hash")
            ? source.choice(keys.get("hash")!, "hash of canonical", DIGEST_HASHES)
            : "sha256",
          text: text(keys, "text"),
          components: this.#components(keys, null),
        };
      }
    }
  }

  /** @param required the node to blame when there are none; null where there may be none */
  #components(keys: Nodes, required: Node | null): string[] {
    const node = keys.get("components") ?? required;
    if (node === null) return [];
    return this.#list(node, "components").map((item) => {
      const { value } = this.#source.text(item, "a component");
      if (/^[\x21-\x7e]{1,128}$/.test(value) && !/[";,{}]/.test(value)) return value;
      throw this.#source.fault(item, `"${value}" is no component; write header names, or a|b for either`);
    });
  }

  #list(node: Node, what: string): Node[] {
    const items = this.#source.list(node, what);
    if (items.length <= LIST_LIMIT) return items;
    throw this.#source.fault(node, `${what} may have up to ${LIST_LIMIT} items`);
  }

  #isNothing(node: Node | null): boolean {
    return node === null || (!this.#source.isMap(node) && this.#source.scalar(node, "it").value === null);
  }

  #headerOrNull(keys: Nodes): string | null {
    const node = keys.get("header") ?? null;
    if (this.#isNothing(node)) return null;
    const { value } = this.#source.text(node, "header");
    if (HEADER_NAME.test(value)) return value;
    throw this.#source.fault(node, `"${value}" is no header name; write it in lower case`);
  }

  #headerMap(
    node: Node | null,
    what: string,
    read: (value: Node | null, name: string) => string,
  ): Record<string, string> {
    const headers: Record<string, string> = {};
    if (node === null) return headers;
    for (const [name, { keyNode, value }] of this.#source.entries(node, what)) {
      if (!HEADER_NAME.test(name) || name === "__proto__") {
        throw this.#source.fault(keyNode, `"${name}" in ${what} is no header name; write it in lower case`);
      }
      headers[name] = read(value, name);
    }
    return headers;
  }
}
