// Reads the parts of a recipe document: format, limits and placeholders; errors have their position.

import type { Node } from "yaml";
import type { MapShape, Shapes } from "#src/contract/text/shape.ts";
import type { KnownKeys, YamlSource } from "#src/contract/text/yaml-source.ts";
import {
  BODY_DIGEST,
  CANONICAL,
  COMPONENT,
  FIELDS,
  HEADER_NAME,
  LINE_LIMIT,
  LIST_LIMIT,
  NONCE,
  PRINTABLE,
  PRINTABLE_LINES,
  SIGNATURE,
  STYLE,
  TEMPLATE_LIMIT,
  TIME,
  VALUE_NAME,
} from "./recipe-shape.ts";
import type { BodyDigest, BodyFields, Canonical, Recipe, RecipeNonce, RecipeTime } from "./recipe.ts";
import { isFilter, strayBrace } from "./template.ts";
import { isNonceFormat } from "./time-format.ts";

export class PartReader {
  readonly #source: YamlSource;

  constructor(source: YamlSource) {
    this.#source = source;
  }

  /** Any text, empty too. */
  anyText(node: Node | null, what: string): string {
    return this.#source.anyText(node, what).value;
  }

  line(node: Node | null, what: string): string {
    const text = this.anyText(node, what);
    if (text.length <= LINE_LIMIT && PRINTABLE.test(text)) return text;
    throw this.#source.fault(
      node,
      `${what} must be one line of up to ${LINE_LIMIT} printable ASCII characters`,
    );
  }

  template(node: Node | null, what: string, allowed: RegExp = PRINTABLE): string {
    const text = this.#filtered(node, this.#printable(node, what, allowed), what);
    if (strayBrace(text) !== null) {
      throw this.#source.fault(node, `${what} has a brace that belongs to no placeholder such as {key_id}`);
    }
    return text;
  }

  #printable(node: Node | null, what: string, allowed: RegExp): string {
    const text = this.anyText(node, what);
    if (text.length <= TEMPLATE_LIMIT && allowed.test(text)) return text;
    throw this.#source.fault(node, `${what} must be printable ASCII of up to ${TEMPLATE_LIMIT} characters`);
  }

  #filtered(node: Node | null, text: string, what: string): string {
    for (const [whole, filter] of text.matchAll(/\{[a-z0-9_.-]+:([a-z]+)\}/g)) {
      if (!isFilter(filter!)) throw this.#source.fault(node, `${what} has an unknown filter in ${whole}`);
    }
    return text;
  }

  /** A template whose other braces are those of JSON. */
  #json(node: Node | null, what: string): string {
    return this.#filtered(node, this.#printable(node, what, PRINTABLE), what);
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
      if (!VALUE_NAME.test(name)) {
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
    if (this.#source.isNull(node)) return null;
    const keys = this.#source.map(node, "time", TIME);
    return {
      header: this.#headerOrNull(keys.get("header") ?? null),
      format: keys.choice("format", "format of time"),
      skew_s: keys.has("skew_s") ? keys.number("skew_s") : 300,
    };
  }

  nonce(node: Node | null): RecipeNonce | null {
    if (this.#source.isNull(node)) return null;
    const keys = this.#source.map(node, "nonce", NONCE);
    const format = keys.text("format", "format of nonce");
    if (!isNonceFormat(format)) {
      throw this.#source.fault(
        keys.at("format"),
        "format of nonce must be uuid4, hex:N with an even N, or alnum:N",
      );
    }
    return { header: this.#headerOrNull(keys.get("header") ?? null), format };
  }

  fields(node: Node | null): BodyFields | null {
    if (this.#source.isNull(node)) return null;
    const keys = this.#source.map(node, "fields", FIELDS);
    const or = (key: "separator" | "equals", fallback: string): string =>
      keys.has(key) ? this.template(keys.at(key), `${key} of fields`, PRINTABLE_LINES) : fallback;
    return {
      form: keys.choice("form", "form of fields"),
      nesting: keys.has("nesting") ? keys.choice("nesting", "nesting of fields") : "dot",
      separator: or("separator", "&"),
      equals: or("equals", "="),
      encoding: keys.has("encoding") ? keys.choice("encoding", "encoding of fields") : "none",
      empty: keys.has("empty") ? keys.choice("empty", "empty of fields") : "omit",
    };
  }

  bodyDigest(node: Node | null): BodyDigest | null {
    if (this.#source.isNull(node)) return null;
    const keys = this.#source.map(node, "body_digest", BODY_DIGEST);
    const render = this.template(keys.at("render"), "render of body_digest");
    if (!/\{(?:b64|hex|raw)\}/.test(render)) {
      throw this.#source.fault(keys.at("render"), "render of body_digest must hold {b64}, {hex} or {raw}");
    }
    const over = keys.has("over")
      ? this.template(keys.get("over")!, "over of body_digest", PRINTABLE_LINES)
      : "{body}";
    if (!/\{(?:body|fields)\}/.test(over)) {
      throw this.#source.fault(keys.at("over"), "over of body_digest must hold {body} or {fields}");
    }
    return {
      header: this.#headerOrNull(keys.get("header") ?? null),
      hash: keys.has("hash") ? keys.choice("hash", "hash of body_digest") : "sha256",
      over,
      render,
      empty: keys.has("empty") ? keys.choice("empty", "empty of body_digest") : "hash",
    };
  }

  signature(node: Node | null): Recipe["signature"] {
    if (node === null) return { encoding: "base64" };
    return {
      encoding: this.#source.map(node, "signature", SIGNATURE).choice("encoding", "encoding of signature"),
    };
  }

  canonical(node: Node | null): Canonical | null {
    if (this.#source.isNull(node)) return null;
    const source = this.#source;
    const styleNode = source.entries(node, "canonical").get("style")?.value ?? node;
    const style = source.choice(styleNode, "style", STYLE);
    const of = <P extends Shapes>(shape: MapShape<P>): KnownKeys<P> =>
      source.map(node, `canonical of style ${style}`, shape);
    const text = (value: Node | null, key: string): string =>
      this.template(value, `${key} of canonical`, PRINTABLE_LINES);
    switch (style) {
      case "header-lines": {
        const keys = of(CANONICAL[style]);
        const join = keys.has("join") ? text(keys.at("join"), "join") : "\n";
        return { style, components: this.#components(keys, node), join };
      }
      case "rfc9421": {
        const keys = of(CANONICAL[style]);
        const params = this.templates(keys.get("params") ?? null, "params");
        return { style, components: this.#components(keys, node), params };
      }
      case "template": {
        const keys = of(CANONICAL[style]);
        return { style, text: text(keys.at("text"), "text"), components: this.#components(keys, null) };
      }
      case "jwt": {
        const keys = of(CANONICAL[style]);
        const json = (key: "header" | "claims"): string => this.#json(keys.at(key), `${key} of canonical`);
        return {
          style,
          header: json("header"),
          claims: json("claims"),
          components: this.#components(keys, null),
        };
      }
      case "two-stage": {
        const keys = of(CANONICAL[style]);
        return {
          style,
          request: text(keys.at("request"), "request"),
          hash: keys.has("hash") ? keys.choice("hash", "hash of canonical") : "sha256",
          text: text(keys.at("text"), "text"),
          components: this.#components(keys, null),
        };
      }
    }
  }

  /** @param required the node to blame when there are none; null where there may be none */
  #components(keys: ReadonlyMap<string, Node | null>, required: Node | null): string[] {
    const node = keys.get("components") ?? required;
    if (node === null) return [];
    return this.#list(node, "components").map((item) => {
      const { value } = this.#source.text(item, "a component");
      if (COMPONENT.test(value)) return value;
      throw this.#source.fault(item, `"${value}" is no component; write header names, or a|b for either`);
    });
  }

  #list(node: Node, what: string): Node[] {
    const items = this.#source.list(node, what);
    if (items.length <= LIST_LIMIT) return items;
    throw this.#source.fault(node, `${what} may have up to ${LIST_LIMIT} items`);
  }

  #headerOrNull(node: Node | null): string | null {
    if (this.#source.isNull(node)) return null;
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
