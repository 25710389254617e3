// Candidate recipes for one captured request: the known families with the headers, labels and lists of the capture.

import { HEADER } from "#src/contract/wire/wire.ts";
import { isHmacAlgorithm, renderDigest } from "#src/signing/hmac.ts";
import {
  DIGEST_HASHES,
  type BodyDigest,
  type HeaderLines,
  type Recipe,
  type RecipeNonce,
  type RecipeTime,
} from "#src/signing/recipes/recipe.ts";
import { nonceFormat, paramsOf, type RequestFacts, type SignaturePlace } from "./infer-facts.ts";

/** Base of every candidate recipe. */
const BLANK: Recipe = {
  recipe: "inferred",
  status: "assumed",
  about: "Inferred from a known-good request.",
  key: { encoding: "utf8" },
  hash: "from-credential",
  values: {},
  time: null,
  nonce: null,
  fields: null,
  body_digest: null,
  derive: [],
  canonical: null,
  signature: { encoding: "base64" },
  emit: {},
  endpoints: {},
  vectors: [],
};

const SKEW_S = 300;

/** Families that list what they sign, with the capture's own headers; in the order to try them. */
export function variantsOf(facts: RequestFacts): Recipe[] {
  return [...listedLines(facts), ...messageSignatures(facts), ...hashedRequests(facts), ...webTokens(facts)];
}

/**
 * The base recipe with the values of the request other than its signature.
 * @param timeAt index of the capture's time; none if there is no such time
 * @returns null if the header with the signature cannot be made a template
 */
export function withHeader(
  facts: RequestFacts,
  place: SignaturePlace,
  timeAt: number,
  list: string | null = null,
): Recipe | null {
  const time = facts.times[timeAt];
  const nonce = facts.nonces[0];
  const known: [string, string][] = [
    ...(list === null ? [] : [[list, "{components}"] as [string, string]]),
    ...(time?.header === null ? [[time.text, "{time}"] as [string, string]] : []),
    ...(nonce?.header === null ? [[nonce.text, "{nonce}"] as [string, string]] : []),
    ...(facts.keyId === null ? [] : [[facts.keyId, "{key_id}"] as [string, string]]),
    ...(facts.owner === null ? [] : [[facts.owner, "{owner}"] as [string, string]]),
  ];
  const template = emitTemplate(facts.headers.get(place.header)!, place, known);
  if (template === null) return null;
  const isSent = (header: string | null, name: string): boolean => header !== null || template.includes(name);
  return {
    ...BLANK,
    time: time === undefined || !isSent(time.header, "{time}") ? null : timePart(time.header, time.format),
    nonce: nonce === undefined || !isSent(nonce.header, "{nonce}") ? null : nonceOf(nonce),
    body_digest: digestPart(facts),
    emit: { [place.header]: template },
  };
}

function timePart(header: string | null, format: RecipeTime["format"]): RecipeTime {
  return { header, format, skew_s: SKEW_S };
}

function digestPart({ digest }: RequestFacts): BodyDigest | null {
  if (digest === null) return null;
  const { header, hash, render } = digest;
  return { header, hash, render, over: "{body}", empty: "hash" };
}

/** A header's text as a template: known values that are whole words become placeholders. */
function emitTemplate(
  text: string,
  place: SignaturePlace,
  known: readonly (readonly [value: string, placeholder: string])[],
): string | null {
  if (/[{}]/.test(text)) return null;
  const params = paramsOf(text);
  const marks: { from: number; to: number; put: string }[] = [
    { from: place.from, to: place.to, put: "{signature}" },
  ];
  const free = (from: number, to: number): boolean =>
    marks.every((mark) => to <= mark.from || from >= mark.to);
  for (const { name, value, from, to } of params) {
    const put =
      /^alg(?:orithm)?$/i.test(name) && isHmacAlgorithm(value)
        ? "{algorithm}"
        : known.find(([each]) => each === value)?.[1];
    if (put !== undefined && free(from, to)) marks.push({ from, to, put });
  }
  for (const [value, put] of known) {
    const at = value.length < 3 ? -1 : text.indexOf(value);
    const alone = !/[A-Za-z0-9]/.test(`${text[at - 1] ?? ""}${text[at + value.length] ?? ""}`);
    if (at >= 0 && alone && free(at, at + value.length)) marks.push({ from: at, to: at + value.length, put });
  }
  let template = "";
  let at = 0;
  for (const { from, to, put } of marks.sort((a, b) => a.from - b.from)) {
    template += text.slice(at, from) + put;
    at = to;
  }
  return template + text.slice(at);
}

const LIST_NAME = /^(?:headers|signed-?headers|components|fields)$/i;
const JOINS = ["\n", "\r\n", ""] as const;

/** `headers="date digest"` in any wording; the draft's default without a list is the date alone. */
function listedLines(facts: RequestFacts): Recipe[] {
  return facts.signatures.flatMap((place) => {
    const params = paramsOf(facts.headers.get(place.header)!);
    const list = params.find(
      ({ name, value }) => LIST_NAME.test(name) && /^\S+(?: \S+)*$/.test(value),
    )?.value;
    if (list === undefined && !/^Signature /i.test(facts.headers.get(place.header)!)) return [];
    const names = list?.split(" ") ?? ["date"];
    const at = facts.times.findIndex(({ header }) => header !== null && names.includes(header));
    const base = withHeader(facts, place, at, list ?? null);
    if (base === null) return [];
    const nonce = facts.nonces.find(({ header }) => header !== null && names.includes(header));
    return JOINS.flatMap((join): Recipe[] => {
      const canonical: HeaderLines = { style: "header-lines", components: names, join };
      const recipe: Recipe = {
        ...base,
        nonce: nonce === undefined ? base.nonce : nonceOf(nonce),
        canonical,
      };
      return [recipe, ...withLastLineEnd(facts, recipe, canonical, list ?? null)];
    });
  });
}

function nonceOf({ header, format }: RecipeNonce): RecipeNonce {
  return { header, format };
}

/** The same lines as a template with a final line end, which the style itself does not write. */
function withLastLineEnd(
  facts: RequestFacts,
  recipe: Recipe,
  { components, join }: HeaderLines,
  list: string | null,
): Recipe[] {
  if (join === "" || /[{}]/.test(list ?? "")) return [];
  const line = (name: string): string => {
    if (name === "(request-target)" || name === "@request-target") return `${name}: {method:lower} {target}`;
    if (name === "request-line") return "{method} {target} HTTP/1.1";
    return `${name}: {header.${name}}`;
  };
  if (components.some((name) => !/^[a-z0-9-]+$/.test(name) && !/^[(@]request-target\)?$/.test(name)))
    return [];
  const emit = Object.fromEntries(
    Object.entries(recipe.emit).map(([name, text]) => [name, text.replace("{components}", list ?? "")]),
  );
  const text = components.map((name) => `${line(name)}${join}`).join("");
  return facts.headers.size === 0
    ? []
    : [{ ...recipe, emit, canonical: { style: "template", text, components: [] } }];
}

const INPUT = /^([a-z*][a-z0-9_.*-]*)=\(([^)]*)\)((?:;.*)?)$/;

/** RFC 9421 with any label, parameters and components. */
function messageSignatures(facts: RequestFacts): Recipe[] {
  const input = INPUT.exec(facts.headers.get("signature-input") ?? "");
  if (input === null) return [];
  const [, label, , params] = input;
  const parts = Array.from(params!.matchAll(/;([a-z*][a-z0-9_.*-]*)=("[^"]*"|[^;]*)/g));
  if (parts.map(([whole]) => whole).join("") !== params) return [];
  const read = (name: string): string | undefined => parts.find(([, each]) => each === name)?.[2];
  const nonce = facts.nonces.find(({ text }) => `"${text}"` === read("nonce"));
  const place = facts.times.find(({ header, text }) => header === null && text === read("created"));
  const dated = facts.times.find(({ header }) => header !== null && input[2]!.includes(`"${header}"`));
  const time = place === undefined ? dated : { ...place, header: null };
  const created = read("created");
  const isTime = created !== undefined && /^\d{9,10}$/.test(created);
  const template = ([, name, value]: RegExpExecArray | RegExpMatchArray): string => {
    if (name === "created" && isTime) return "created={time}";
    if (name === "nonce" && nonce !== undefined) return 'nonce="{nonce}"';
    return name === "keyid" ? 'keyid="{key_id}"' : `${name}=${value}`;
  };
  return [
    {
      ...BLANK,
      time: isTime
        ? timePart(null, "unix-s")
        : time === undefined
          ? null
          : timePart(time.header, time.format),
      nonce: nonce === undefined ? null : { header: null, format: nonce.format },
      body_digest: digestPart(facts),
      canonical: { style: "rfc9421", components: ["@method"], params: parts.map(template) },
      emit: {
        "signature-input": `${label}=({components}){params}`,
        signature: `${label}=:{signature}:`,
      },
    },
  ];
}

/** SigV4 and schemes derived from it: another first word, a path that is not encoded twice, an unsigned body. */
function hashedRequests(facts: RequestFacts): Recipe[] {
  const header = facts.headers.get(HEADER.authorization) ?? "";
  const match = /^([A-Z0-9]+)-HMAC-SHA(?:256|384|512) (.*)$/.exec(header);
  if (match === null) return [];
  const word = match[1]!;
  const credential =
    paramsOf(header)
      .find(({ name }) => name === "Credential")
      ?.value.split("/") ?? [];
  const [, , region, service, end] = credential;
  const time = facts.times.find(({ format, header: name }) => format === "amz-basic" && name !== null);
  if (credential.length !== 5 || time === undefined) return [];
  const scope = `{day}/{region}/{service}/${end!}`;
  const algorithm = header.slice(0, header.indexOf(" "));
  const separator = /,\s*/.exec(match[2]!)?.[0] ?? ", ";
  const nonce = facts.nonces.find((each) => each.header !== null);
  const base: Recipe = {
    ...BLANK,
    values: { region: region!, service: service! },
    time: timePart(time.header, "amz-basic"),
    nonce: nonce === undefined ? null : nonceOf(nonce),
    derive: [`${word}{secret}`, "{day}", "{region}", "{service}", end!],
    emit: {
      authorization: `${algorithm} Credential={key_id}/${scope}${separator}SignedHeaders={components}${separator}Signature={signature}`,
    },
  };
  const digest: BodyDigest = { header: null, hash: "sha256", over: "{body}", render: "{hex}", empty: "hash" };
  return ["{canonical_path}", "{path}"].flatMap((path) =>
    ["{digest}", "UNSIGNED-PAYLOAD"].map((hash): Recipe => ({
      ...base,
      body_digest: hash === "{digest}" ? digest : null,
      canonical: {
        style: "two-stage",
        request: `{method}\n${path}\n{canonical_query}\n{header_lines}\n{components}\n${hash}`,
        hash: "sha256",
        text: `${algorithm}\n{time}\n${scope}\n{request_hash}`,
        components: [],
      },
    })),
  );
}

/** JSON Web Tokens of any claims (RFC 7519), in any header. */
function webTokens(facts: RequestFacts): Recipe[] {
  return [...facts.headers].flatMap(([name, value]): Recipe[] => {
    const match = /^([\x21-\x7e]+ )?([\w-]+)\.([\w-]+)\.[\w-]+$/.exec(value);
    if (match === null) return [];
    const [, word = "", ...parts] = match;
    const [header, claims] = parts.map((part) => Buffer.from(part, "base64url").toString("utf8"));
    const iat = numberIn(claims!, "iat");
    const exp = numberIn(claims!, "exp");
    const jti = /"jti" *: *"([^"]+)"/.exec(claims!)?.[1];
    const nonce = jti === undefined ? undefined : nonceFormat(jti);
    const { digest, text: digestText } = digestInClaims(facts, claims!);
    const body = bodyText(facts);
    const marks: [string | null | undefined, string][] = [
      [iat, "{time}"],
      [exp, "{expiry}"],
      [nonce === undefined ? null : jti, "{nonce}"],
      [digestText, "{digest}"],
      [facts.keyId, "{key_id}"],
      [facts.owner, "{owner}"],
    ];
    const template = (text: string): string =>
      text === body
        ? "{body}"
        : marks.reduce((all, [each, put]) => (each ? all.replace(each, () => put) : all), text);
    const time = iat === null ? null : timePart(null, "unix-s");
    return [
      {
        ...BLANK,
        time:
          time === null || exp === null ? time : { ...time, skew_s: Math.max(Number(exp) - Number(iat), 1) },
        nonce: nonce === undefined ? null : { header: null, format: nonce },
        body_digest: digest,
        canonical: { style: "jwt", header: template(header!), claims: template(claims!), components: [] },
        signature: { encoding: "base64url" },
        emit: { [name]: `${word}{token}` },
      },
    ];
  });
}

function numberIn(claims: string, name: string): string | null {
  return new RegExp(`"${name}" *: *(\\d{9,10})\\b`).exec(claims)?.[1] ?? null;
}

/** The digest of the body that stands in a text. */
function digestInClaims(
  { message }: RequestFacts,
  claims: string,
): { digest: BodyDigest | null; text: string | null } {
  for (const hash of DIGEST_HASHES) {
    for (const render of ["{hex}", "{b64}"]) {
      const text = renderDigest(hash, render, message.body);
      const digest: BodyDigest = { header: null, hash, over: "{body}", render, empty: "hash" };
      if (claims.includes(text)) return { digest, text };
    }
  }
  return { digest: null, text: null };
}

function bodyText({ message }: RequestFacts): string {
  return Buffer.from(message.body).toString("utf8");
}
