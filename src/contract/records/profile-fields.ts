// The fields of a profile: how each is stored, what its form shows, and what is valid.

import type { Field, FieldValue, Problem } from "#src/contract/fields/field.ts";
import {
  anyNumber,
  anyText,
  choice,
  flag,
  list,
  openMap,
  optional,
  type Of,
  type Shape,
} from "#src/contract/text/shape.ts";
import { readServiceUrl, serviceUrlProblem } from "#src/contract/wire/service-url.ts";

export const ENVIRONMENTS = ["SANDBOX", "TEST", "LIVE"] as const;

/** Numbering of `currency`: by currency, or by country as the spec states for a registration (spec 2.5). */
export const CURRENCY_NUMBERINGS = ["iso-4217", "iso-3166-1"] as const;

/** Forms of answers that a profile may accept besides the standard one: another or no content type, a byte order mark, 201 for a check. */
export const ANSWER_FORMS = ["html", "text", "untyped", "bom", "201"] as const;

const DAY_S = 86_400;
const LONGEST_DEADLINE_S = 300;

/** For a whole call, where the profile has no deadline. */
export const DEFAULT_DEADLINE_S = 30;

/** In place of a proxy address: no proxy, even when the environment names one. */
export const DIRECT = "direct";

const PLACE = "service";
const SIGNING = "signing";
const NETWORK = "network";
const CARE = "care";

/** Safe as a command-line word, and as a file name on every system. */
const WORD = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** POSIX or Windows; without control characters, which would be invisible in output. */
const ABSOLUTE_PATH = /^(?:\/|[A-Za-z]:[\\/])[^\p{Cc}]{0,4095}$/u;

interface ProfileField extends Field {
  /** In the document. */
  readonly stored: Shape;
  /** What a key that is missing is shown as. */
  readonly initial?: string;
  /** The value of a typed text, where it is not that text or number; undefined leaves the key out. */
  readonly store?: (text: string, other: (path: string) => string) => unknown;
}

/** Every field by its key in the document, in the order of forms and messages. */
const FIELDS = {
  name: {
    path: "name",
    label: "Name",
    group: PLACE,
    type: "string",
    required: true,
    pattern: {
      regex: WORD,
      text: "must be 1 to 64 of a-z, 0-9, dot, dash and underscore, starting with a letter or digit",
    },
    help: "A word for --profile, such as shop-test.",
    example: "shop-test",
    stored: anyText(),
  },
  environment: {
    path: "environment",
    label: "Environment",
    group: CARE,
    type: "string",
    required: true,
    choices: ENVIRONMENTS,
    help: "LIVE moves real money: red, and many checks at once only after its name is typed.",
    example: "TEST",
    stored: choice(ENVIRONMENTS),
  },
  readOnly: {
    path: "read_only",
    label: "Read-only",
    group: CARE,
    type: "string",
    required: true,
    choices: ["no", "yes"],
    help: "With yes nothing is sent: no check, replay, registration or credential request.",
    example: "no",
    stored: optional(flag()),
    initial: "no",
    store: (text) => (text === "yes" ? true : undefined),
  },
  /** Empty for the embedded sandbox, whose address is found at run time. */
  baseUrl: {
    path: "base_url",
    label: "Check address",
    group: PLACE,
    type: "string",
    required: true,
    maxLength: 2_048,
    help: "Where checks go, such as https://check.example/api.",
    example: "https://check.example/api",
    check: addressProblem,
    stored: anyText(),
    store: readServiceUrl,
  },
  projectsUrl: {
    path: "projects_url",
    label: "Projects address",
    group: PLACE,
    type: "string",
    required: false,
    maxLength: 2_048,
    help: "Where registrations and credential requests go; empty for the check address.",
    example: "https://projects.example",
    check: addressProblem,
    stored: anyText(),
    store: (text, other) => readServiceUrl(withoutRegistrationPath(text) || other("base_url")),
  },
  companyId: {
    path: "company_id",
    label: "Company id",
    group: SIGNING,
    type: "string",
    required: false,
    maxLength: 128,
    pattern: { regex: /^[!-~]*$/, text: "must be printable ASCII without blanks" },
    help: "Whose integration key registers projects; empty for the key entered last.",
    example: "company-1",
    stored: optional(anyText()),
  },
  recipe: {
    path: "recipe",
    label: "Recipe",
    group: SIGNING,
    type: "string",
    required: true,
    pattern: { regex: WORD, text: "must be the id of a signing recipe" },
    help: "How requests are signed; verdict recipe list names them all.",
    example: "http-signatures",
    stored: anyText(),
  },
  /** In which the user writes amounts and the service expects them. */
  amountUnit: {
    path: "amount_unit",
    label: "Amount unit",
    group: SIGNING,
    type: "string",
    required: true,
    choices: ["minor", "major"],
    help: "Unit of amounts on the wire: minor for cents, major for whole units.",
    example: "minor",
    stored: choice(["minor", "major"]),
  },
  currencyNumbering: {
    path: "currency_numbering",
    label: "Currency numbers",
    group: SIGNING,
    type: "string",
    required: true,
    choices: CURRENCY_NUMBERINGS,
    help: "Numbers of currency: iso-4217 for currencies (980), iso-3166-1 for countries (804).",
    example: "iso-4217",
    stored: optional(choice(CURRENCY_NUMBERINGS)),
    initial: "iso-4217",
  },
  /** Where it is another one than in checks (spec 2.1 and 2.5). */
  registrationCurrencyNumbering: {
    path: "registration_currency_numbering",
    label: "At registration",
    group: SIGNING,
    type: "string",
    required: false,
    choices: CURRENCY_NUMBERINGS,
    help: "Currency numbers in a registration; empty: the same as in checks.",
    example: "iso-3166-1",
    stored: optional(choice(CURRENCY_NUMBERINGS)),
    store: (text, other) => (text === "" || text === other("currency_numbering") ? undefined : text),
  },
  answers: {
    path: "answers",
    label: "Answers",
    group: CARE,
    type: "string",
    required: false,
    pattern: {
      regex: new RegExp(`^(?:none|(?:(?:${ANSWER_FORMS.join("|")})(?:, *(?=.)|$))+)$`),
      text: `must be one or more of ${ANSWER_FORMS.join(", ")}, with commas, or none`,
    },
    help: `Forms of answers to accept as well, of ${ANSWER_FORMS.join(", ")}; empty for none.`,
    example: "html,bom",
    stored: optional(list(choice(ANSWER_FORMS))),
    store: readAnswers,
  },
  credentialWaitS: {
    path: "credential_wait_s",
    label: "Credential wait",
    group: NETWORK,
    type: "integer",
    required: true,
    min: 0,
    max: DAY_S,
    help: "Seconds between a registration and the first credential request.",
    example: 180,
    hint: (value) => inMinutes(Number(value)),
    stored: anyNumber(),
  },
  deadlineS: {
    path: "deadline_s",
    label: "Deadline",
    group: NETWORK,
    type: "integer",
    required: false,
    min: 1,
    max: LONGEST_DEADLINE_S,
    help: "Seconds that a whole call may take, its retries included; empty for 30.",
    example: 30,
    stored: optional(anyNumber()),
  },
  /** Read at each start. */
  ca: {
    path: "ca",
    label: "CA file",
    group: NETWORK,
    type: "string",
    required: false,
    pattern: { regex: ABSOLUTE_PATH, text: "must be an absolute path" },
    help: "PEM file of additional authorities to trust; empty for none.",
    example: "/etc/ssl/company.pem",
    stored: optional(anyText()),
  },
  proxy: {
    path: "proxy",
    label: "Proxy",
    group: NETWORK,
    type: "string",
    required: false,
    maxLength: 2_048,
    help: `Address of a proxy, or ${DIRECT} for none; empty for HTTPS_PROXY of the environment.`,
    example: "http://proxy.example:3128",
    check: proxyProblem,
    stored: optional(anyText()),
  },
} satisfies Record<string, ProfileField>;

type Stored = { readonly [K in keyof typeof FIELDS]: (typeof FIELDS)[K]["stored"] };

const ROWS: readonly (readonly [key: string, field: ProfileField])[] = Object.entries(FIELDS);

export const PROFILE_FIELDS: readonly Field[] = Object.values(FIELDS);

/** A profile in the document of the profiles. */
export const PROFILE = openMap({
  ...(Object.fromEntries(ROWS.map(([key, { stored }]) => [key, stored])) as unknown as Stored),
  /** The recipe that the user confirmed after the service accepted a request; void once `recipe` differs. */
  confirmedRecipe: optional(anyText()),
});

export type StoredProfile = Of<typeof PROFILE>;

/** Recommended wait before the credential request: "a few minutes" (spec 4.3). */
export const DEFAULT_CREDENTIAL_WAIT_S = 180;

/** Initial values of a new profile. */
export const NEW_PROFILE: StoredProfile = {
  name: "",
  environment: "TEST",
  baseUrl: "",
  projectsUrl: "",
  recipe: "http-signatures",
  amountUnit: "minor",
  credentialWaitS: DEFAULT_CREDENTIAL_WAIT_S,
};

/** The field values of a profile; undefined where it has none. */
export function profileValues(profile: StoredProfile): Readonly<Record<string, FieldValue | undefined>> {
  const values: Readonly<Record<string, unknown>> = { ...profile };
  return Object.fromEntries(
    ROWS.map(([key, { path, initial }]) => [path, values[key] === undefined ? initial : shown(values[key])]),
  );
}

function shown(value: unknown): FieldValue {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? value : String(value);
}

/**
 * Builds a profile from typed texts, not yet validated (`validateProfile`); an empty text omits its field.
 * @param typed texts by path; a missing path counts as empty
 * @param before the profile before the change: a recipe that stays the same stays confirmed
 */
export function profileOfTexts(
  typed: Readonly<Record<string, string | undefined>>,
  before: StoredProfile | null,
): StoredProfile {
  const textOf = (path: string): string => (typed[path] ?? "").trim();
  const given = ROWS.map(([key, field]) => [key, valueOf(field, textOf)] as const);
  const profile = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const confirmed = before?.confirmedRecipe;
  return {
    ...(profile as unknown as StoredProfile),
    ...(confirmed !== undefined && confirmed === profile["recipe"] ? { confirmedRecipe: confirmed } : {}),
  };
}

function valueOf({ path, type, required, initial, store }: ProfileField, textOf: (path: string) => string) {
  const text = textOf(path);
  if (store !== undefined) return store(text, textOf);
  if (text === (required ? initial : "")) return undefined;
  if (type === "string") return text;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** An address of registrations without their path, as a check's is left out. */
function withoutRegistrationPath(text: string): string {
  return text.replace(/\/projects(?:\/credential)?\/*$/, "");
}

function readAnswers(text: string): readonly string[] | undefined {
  if (text === "" || text === "none") return undefined;
  const forms = text.split(/, */);
  // In one order; others stay, to be refused.
  return [...new Set([...ANSWER_FORMS.filter((form) => forms.includes(form)), ...forms])];
}

function addressProblem(value: FieldValue): Problem | null {
  const text = serviceUrlProblem(String(value));
  return text === null ? null : { severity: "error", text };
}

/** A user name or password is refused, because a profile must hold no secret. */
function proxyProblem(value: FieldValue): Problem | null {
  const text = String(value);
  if (text === DIRECT) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    return { severity: "error", text: `must be an address such as http://proxy.example:3128, or ${DIRECT}` };
  }
  return url.username === "" && url.password === ""
    ? null
    : {
        severity: "error",
        text: "must not hold a user name or password; leave it empty and set HTTPS_PROXY instead",
      };
}

function inMinutes(seconds: number): string | null {
  if (seconds < 60) return null;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}
