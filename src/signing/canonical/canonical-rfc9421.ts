// The signature base of RFC 9421 section 2.5. Components carry no parameters of their own, and there is one signature.

import type { MessageSignature } from "#src/signing/recipes/recipe.ts";
import { mergeValues } from "#src/signing/recipes/template-values.ts";
import { fillTemplate, readTemplate } from "#src/signing/recipes/template.ts";
import { defaultPort, hostOf, pathOf, queryOf, type Message } from "#src/signing/request-values.ts";
import type { CanonicalStyle } from "./canonical-style.ts";
import { alternatives, isHeaderPresent, notLowerCase, presentOf, problemOf } from "./components.ts";

/** Section 2.2. */
const DERIVED: ReadonlyMap<string, (message: Message) => string> = new Map([
  ["@method", ({ method }) => method],
  ["@authority", authority],
  ["@scheme", ({ scheme }) => scheme],
  ["@target-uri", (message) => `${message.scheme}://${authority(message)}${message.target}`],
  ["@request-target", ({ target }) => target],
  ["@path", pathOf],
  ["@query", (message) => `?${queryOf(message)}`],
]);

/** Components that are no headers. */
export const DERIVED_COMPONENTS: readonly string[] = [...DERIVED.keys()];

/** Section 2.2.3: lower case, without the scheme's own port. */
function authority(message: Message): string {
  const host = hostOf(message).toLowerCase();
  const port = `:${defaultPort(message)}`;
  return host.endsWith(port) ? host.slice(0, -port.length) : host;
}

function isPresent(message: Message, name: string): boolean {
  return isHeaderPresent(message, name) || DERIVED.has(name);
}

/** A parameter: `;created=1618884473` or `;keyid="k"`, as RFC 8941 section 4.1.1.2 writes it. */
const PARAM = /;([a-z*][a-z0-9_.*-]*)=(?:"([^"\\]*)"|([A-Za-z0-9:.-]+))/y;

interface Param {
  readonly name: string;
  /** without quotes */
  readonly template: string;
  readonly quoted: boolean;
}

/** Null for what is no parameter. */
export function readParam(param: string): Param | null {
  const match = /^([a-z*][a-z0-9_.*-]*)=(?:"([^"\\]*)"|(\{time\}|-?\d{1,15}))$/.exec(param);
  if (match === null) return null;
  return { name: match[1]!, template: match[2] ?? match[3]!, quoted: match[2] !== undefined };
}

const params = new WeakMap<MessageSignature, ReadonlyMap<string, Param>>();

/** By name. */
function paramsOf(canonical: MessageSignature): ReadonlyMap<string, Param> {
  let byName = params.get(canonical);
  if (byName === undefined) {
    byName = new Map(canonical.params.map((param) => readParam(param)!).map((param) => [param.name, param]));
    params.set(canonical, byName);
  }
  return byName;
}

export const messageSignature: CanonicalStyle<MessageSignature> = {
  choose: (canonical, message) => presentOf(canonical.components, message, isPresent),
  judge: (canonical, message, claimed) =>
    notLowerCase(claimed) ?? problemOf(canonical.components, message, claimed, isPresent),
  list: (components) => components.map((name) => `"${name}"`).join(" "),
  readList(text) {
    if (text === "") return [];
    if (/^"[^"\s;]+"(?: "[^"\s;]+")*$/.test(text)) return text.slice(1, -1).split('" "');
    return "lists components that are not plain names in quotes";
  },
  writeParams: (canonical, lookup) =>
    canonical.params.map((param) => `;${fillTemplate(param, lookup)}`).join(""),

  readParams(canonical, text) {
    const wanted = paramsOf(canonical);
    const seen: Param[] = [];
    const values = new Map<string, string>();
    let at = 0;
    while (at < text.length) {
      PARAM.lastIndex = at;
      const match = PARAM.exec(text);
      if (match === null) return `has parameters that cannot be read at character ${at + 1}`;
      at = PARAM.lastIndex;
      const [, name, quoted, bare] = match;
      const param = wanted.get(name!);
      if (param === undefined || seen.includes(param)) {
        return `has a parameter that the recipe does not know, or one twice: ${name}`;
      }
      seen.push(param);
      if (param.quoted !== (quoted !== undefined)) return `has a parameter ${name} of the wrong type`;
      const read = readTemplate(param.template, (quoted ?? bare)!);
      const clash = typeof read === "string" ? read : mergeValues(values, read);
      if (clash !== null) return `has a parameter ${name} that ${clash}`;
    }
    if (seen.length === wanted.size) return values;
    const missing = [...wanted.values()].find((param) => !seen.includes(param))!;
    return `has no parameter ${missing.name}`;
  },

  write(_canonical, message, components, lookup) {
    const lines = components.map(
      (name) => `"${name}": ${DERIVED.get(name)?.(message) ?? message.header(name)?.trim() ?? ""}`,
    );
    lines.push(`"@signature-params": (${lookup("components")!})${lookup("params")!}`);
    return { stringToSign: lines.join("\n"), canonicalRequest: null };
  },

  headers: (canonical) => canonical.components.flatMap(alternatives).filter((name) => !DERIVED.has(name)),
};
