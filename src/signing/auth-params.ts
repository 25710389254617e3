// Credentials written as auth-params: `Scheme name="value", name="value"` (RFC 9110 section 11.4).

import { mergeValues, putValue, type Reader } from "#src/signing/recipes/template-values.ts";

/** One parameter of a recipe's auth-params. */
export interface AuthParam {
  readonly name: string;
  readonly isOptional: boolean;
  /** The placeholder if the value consists of it alone (fast path); null for any other template. */
  readonly whole: string | null;
  readonly read: Reader;
}

const COMMA = 0x2c;

/** Parameters may come in any order and with spaces around commas, but each exactly once and no other. */
export function authParamsReader(scheme: string, params: readonly AuthParam[]): Reader {
  const wanted = new Map(params.map((param) => [param.name, param]));
  const usual = [...wanted.values()].map((param) => ({ param, opening: `${param.name}="` }));
  const schemeInSmall = scheme.toLowerCase();
  return (text) => {
    const blank = text.indexOf(" ");
    if (text.slice(0, blank).toLowerCase() !== schemeInSmall) return `is not of the scheme ${scheme}`;
    const values = new Map<string, string>();
    const seen: AuthParam[] = [];
    for (let at = blank; at < text.length;) {
      const start = afterBlanks(text, at);
      // Senders write the parameters in the recipe's order.
      const next = usual[seen.length];
      const isUsual = next !== undefined && text.startsWith(next.opening, start);
      const name = isUsual ? next.param.name : text.slice(start, afterName(text, start));
      const from = start + name.length + 2;
      const isOpen = isUsual || (name !== "" && text.startsWith('="', from - 2));
      const close = isOpen ? text.indexOf('"', from) : -1;
      const end = close < 0 ? -1 : afterBlanks(text, close + 1);
      const value = text.slice(from, close);
      const isLast = end === text.length;
      if (end < 0 || (!isLast && text.charCodeAt(end) !== COMMA) || value.includes("\\")) {
        return `cannot be read at character ${at + 1}`;
      }
      const param = isUsual ? next.param : wanted.get(name);
      if (param === undefined) return `has a parameter that the recipe does not know: ${name}`;
      if (seen.includes(param)) return `has the parameter ${name} twice`;
      seen.push(param);
      const read = param.whole === null ? param.read(value) : null;
      if (typeof read === "string") return `has a parameter ${name} that ${read}`;
      const clash = read === null ? putValue(values, param.whole!, value) : mergeValues(values, read);
      if (clash !== null) return clash;
      if (isLast) break;
      at = end + 1;
      if (at === text.length) return "ends with a comma";
    }
    for (const param of wanted.values())
      if (!param.isOptional && !seen.includes(param)) return `has no parameter ${param.name}`;
    return values;
  };
}

/** Index after the spaces and tabs at this position. */
function afterBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09) at += 1;
  return at;
}

/** Index after the parameter name at this position: a letter, then letters, digits, `_` and `-`. */
function afterName(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    const small = code | 0x20;
    const isLetter = small >= 0x61 && small <= 0x7a;
    const isLater = at > from && ((code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d);
    if (!isLetter && !isLater) return at;
    at += 1;
  }
}
