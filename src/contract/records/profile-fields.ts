// The field table of a profile, for the form, the command line and the validation of a stored document.

import type { Field, FieldValue, Problem } from "#src/contract/fields/field.ts";
import { readServiceUrl, serviceUrlProblem } from "#src/contract/wire/service-url.ts";
import { ANSWER_FORMS, type AnswerForm, CURRENCY_NUMBERINGS, type CurrencyNumbering } from "./profile.ts";
import { DEFAULT_CREDENTIAL_WAIT_S, ENVIRONMENTS, type Profile } from "./profile.ts";

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

/** Every field of a profile, in the order of forms and messages. */
export const PROFILE_FIELDS: readonly Field[] = [
  {
    path: "name",
    label: "Name",
    group: PLACE,
    type: "string",
    required: true,
    pattern: {
      regex: WORD,
      text: "must be 1 to 64 of a-z, 0-9, dot, dash and underscore, no mark first",
    },
    help: "A word for --profile, such as shop-test.",
    example: "shop-test",
  },
  {
    path: "environment",
    label: "Environment",
    group: CARE,
    type: "string",
    required: true,
    choices: ENVIRONMENTS,
    help: "LIVE moves real money: red, and many checks at once only after its name is typed.",
    example: "TEST",
  },
  {
    path: "read_only",
    label: "Read-only",
    group: CARE,
    type: "string",
    required: true,
    choices: ["no", "yes"],
    help: "With yes nothing is sent: no check, replay, registration or credential request.",
    example: "no",
  },
  {
    path: "base_url",
    label: "Check address",
    group: PLACE,
    type: "string",
    required: true,
    maxLength: 2_048,
    help: "Where checks go, such as https://check.example/api.",
    example: "https://check.example/api",
    check: addressProblem,
  },
  {
    path: "projects_url",
    label: "Projects address",
    group: PLACE,
    type: "string",
    required: false,
    maxLength: 2_048,
    help: "Where registrations and credential requests go; empty for the check address.",
    example: "https://projects.example",
    check: addressProblem,
  },
  {
    path: "company_id",
    label: "Company id",
    group: SIGNING,
    type: "string",
    required: false,
    maxLength: 128,
    pattern: { regex: /^[!-~]*$/, text: "must be printable ASCII without blanks" },
    help: "Whose integration key registers projects; empty for the key entered last.",
    example: "company-1",
  },
  {
    path: "recipe",
    label: "Recipe",
    group: SIGNING,
    type: "string",
    required: true,
    pattern: { regex: WORD, text: "must be the id of a signing recipe" },
    help: "How requests are signed; verdict recipe list names them all.",
    example: "http-signatures",
  },
  {
    path: "amount_unit",
    label: "Amount unit",
    group: SIGNING,
    type: "string",
    required: true,
    choices: ["minor", "major"],
    help: "Unit of amounts on the wire: minor for cents, major for whole units.",
    example: "minor",
  },
  {
    path: "currency_numbering",
    label: "Currency numbers",
    group: SIGNING,
    type: "string",
    required: true,
    choices: CURRENCY_NUMBERINGS,
    help: "Numbers of currency: iso-4217 for currencies (980), iso-3166-1 for countries (804).",
    example: "iso-4217",
  },
  {
    path: "registration_currency_numbering",
    label: "At registration",
    group: SIGNING,
    type: "string",
    required: false,
    choices: CURRENCY_NUMBERINGS,
    help: "Numbers of currency in a registration; empty for those of checks.",
    example: "iso-3166-1",
  },
  {
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
  },
  {
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
  },
  {
    path: "deadline_s",
    label: "Deadline",
    group: NETWORK,
    type: "integer",
    required: false,
    min: 1,
    max: LONGEST_DEADLINE_S,
    help: "Seconds that a whole call may take, its retries included; empty for 30.",
    example: 30,
  },
  {
    path: "ca",
    label: "CA file",
    group: NETWORK,
    type: "string",
    required: false,
    pattern: { regex: ABSOLUTE_PATH, text: "must be an absolute path" },
    help: "PEM file of additional authorities to trust; empty for none.",
    example: "/etc/ssl/company.pem",
  },
  {
    path: "proxy",
    label: "Proxy",
    group: NETWORK,
    type: "string",
    required: false,
    maxLength: 2_048,
    help: `Address of a proxy, or ${DIRECT} for none; empty for HTTPS_PROXY of the environment.`,
    example: "http://proxy.example:3128",
    check: proxyProblem,
  },
];

/** Initial values of a new profile. */
export const NEW_PROFILE: Profile = {
  name: "",
  environment: "TEST",
  baseUrl: "",
  projectsUrl: "",
  recipe: "http-signatures",
  amountUnit: "minor",
  credentialWaitS: DEFAULT_CREDENTIAL_WAIT_S,
};

/** The field values of a profile; undefined where it has none. */
export function profileValues(profile: Profile): Readonly<Record<string, FieldValue | undefined>> {
  return {
    name: profile.name,
    environment: profile.environment,
    read_only: profile.readOnly === true ? "yes" : "no",
    base_url: profile.baseUrl,
    projects_url: profile.projectsUrl,
    company_id: profile.companyId,
    recipe: profile.recipe,
    amount_unit: profile.amountUnit,
    currency_numbering: profile.currencyNumbering ?? "iso-4217",
    registration_currency_numbering: profile.registrationCurrencyNumbering,
    answers: profile.answers?.join(","),
    credential_wait_s: profile.credentialWaitS,
    deadline_s: profile.deadlineS,
    ca: profile.ca,
    proxy: profile.proxy,
  };
}

/**
 * Builds a profile from typed texts, not yet validated (`validateProfile`); an empty text omits its field.
 * @param typed texts by path; a missing path counts as empty
 * @param before the profile before the change: a recipe that stays the same stays confirmed
 */
export function profileOfTexts(
  typed: Readonly<Record<string, string | undefined>>,
  before: Profile | null,
): Profile {
  const text = (path: string): string => (typed[path] ?? "").trim();
  const whole = (path: string): number => (/^\d+$/.test(text(path)) ? Number(text(path)) : Number.NaN);
  const baseUrl = readServiceUrl(text("base_url"));
  // Without the path of a registration, as a check's is left out.
  const projects = text("projects_url").replace(/\/projects(?:\/credential)?\/*$/, "");
  const recipe = text("recipe");
  const confirmed = before?.confirmedRecipe;
  const numbering = text("currency_numbering") as CurrencyNumbering;
  const excused = text("answers").replace(/^none$/, "");
  const forms = excused.split(/, */) as AnswerForm[];
  // In one order; others stay, to be refused.
  const answers = [...new Set([...ANSWER_FORMS.filter((form) => forms.includes(form)), ...forms])];
  const registration = text("registration_currency_numbering") as CurrencyNumbering | "";
  return {
    name: text("name"),
    environment: text("environment") as Profile["environment"],
    baseUrl,
    projectsUrl: projects === "" ? baseUrl : readServiceUrl(projects),
    recipe,
    amountUnit: text("amount_unit") as Profile["amountUnit"],
    credentialWaitS: whole("credential_wait_s"),
    ...(confirmed === recipe ? { confirmedRecipe: confirmed } : {}),
    ...(numbering === "iso-4217" ? {} : { currencyNumbering: numbering }),
    ...(registration === "" || registration === numbering
      ? {}
      : { registrationCurrencyNumbering: registration }),
    ...(excused === "" ? {} : { answers }),
    ...(text("company_id") === "" ? {} : { companyId: text("company_id") }),
    ...(text("deadline_s") === "" ? {} : { deadlineS: whole("deadline_s") }),
    ...(text("ca") === "" ? {} : { ca: text("ca") }),
    ...(text("proxy") === "" ? {} : { proxy: text("proxy") }),
    ...(text("read_only") === "yes" ? { readOnly: true } : {}),
  };
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
