// Header templates of recipes: filling one in when signing, reading the values back out when verifying.

export type TemplateValues = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{([a-z_]+)\}/g;
/** `Scheme name="value",name="value"`: credentials written as auth-params (RFC 9110 section 11.4). */
const AUTH_PARAMS = /^([A-Za-z][A-Za-z0-9-]*) ([A-Za-z]+="[^"]*"(?:,[A-Za-z]+="[^"]*")*)$/;

/** Fills a template in. Throws a TypeError for a placeholder without a value: the recipe is wrong. */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(PLACEHOLDER, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`the template has an unknown placeholder {${name}}`);
    return value;
  });
}

type Reader = (text: string) => TemplateValues | string;

const readers = new Map<string, Reader>();

/**
 * Reads the values back out of a header. Auth-params may come in any order and with blanks around commas, but each
 * exactly once and no other; any other template must match from end to end.
 * @returns the values by placeholder, or a string: what is wrong
 */
export function readTemplate(template: string, text: string): TemplateValues | string {
  let reader = readers.get(template);
  if (reader === undefined) {
    const params = AUTH_PARAMS.exec(template);
    reader = params ? authParamsReader(params[1]!, params[2]!) : literalReader(template);
    readers.set(template, reader);
  }
  return reader(text);
}

/** Cuts at the first place where the next literal part stands: linear in the length of an untrusted header. */
function literalReader(template: string): Reader {
  const parts = template.split(PLACEHOLDER);
  const last = parts.length - 1;
  return (text) => {
    const misfit = "does not have the form of the recipe";
    if (!text.startsWith(parts[0]!)) return misfit;
    let at = parts[0]!.length;
    const values: Record<string, string> = {};
    for (let index = 1; index < last; index += 2) {
      const literal = parts[index + 1]!;
      const end = index + 1 === last ? text.length - literal.length : text.indexOf(literal, at);
      if (end < at || !text.startsWith(literal, end)) return misfit;
      values[parts[index]!] = text.slice(at, end);
      at = end + literal.length;
    }
    return at === text.length ? values : misfit;
  };
}

function authParamsReader(scheme: string, params: string): Reader {
  const wanted = new Map<string, Reader>();
  for (const param of params.split(",")) {
    const equals = param.indexOf("=");
    wanted.set(param.slice(0, equals), literalReader(param.slice(equals + 2, -1)));
  }
  return (text) => {
    const blank = text.indexOf(" ");
    if (text.slice(0, blank).toLowerCase() !== scheme.toLowerCase()) return `is not of the scheme ${scheme}`;
    const values: Record<string, string> = {};
    const seen = new Set<string>();
    const param = /[ \t]*([A-Za-z]+)="([^"\\]*)"[ \t]*(,|$)/y;
    param.lastIndex = blank;
    while (param.lastIndex < text.length) {
      const at = param.lastIndex;
      const match = param.exec(text);
      if (match === null) return `cannot be read at character ${at + 1}`;
      const name = match[1]!;
      const reader = wanted.get(name);
      if (reader === undefined) return `has a parameter that the recipe does not know: ${name}`;
      if (seen.has(name)) return `has the parameter ${name} twice`;
      seen.add(name);
      const read = reader(match[2]!);
      if (typeof read === "string") return `has a parameter ${name} that ${read}`;
      Object.assign(values, read);
      if (match[3] === "") break;
      if (param.lastIndex === text.length) return "ends with a comma";
    }
    for (const name of wanted.keys()) if (!seen.has(name)) return `has no parameter ${name}`;
    return values;
  };
}
