// Stand-ins of a payment's values: equal for equal ones in normal form, alike wherever a function of rules looks at them.

import { getPath, setPath } from "#src/contract/fields/body-path.ts";
import { countriesOfPhone } from "#src/contract/lists/calling-codes.ts";
import { type CheckRequest, RISK_LEVELS } from "#src/contract/wire/wire.ts";
import type { ListType } from "#src/rules/rule-file/lists.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { readAddress, readNetwork } from "#src/rules/values/address.ts";
import { holderAnomaly, localRandomness, phoneProblem } from "#src/rules/values/anomalies.ts";
import { normalDomain, normalEmail } from "#src/contract/text/normal-email.ts";
import {
  normalHolder,
  normalPhone,
  normalText,
  coveringDomain,
  emailDomain,
} from "#src/rules/values/normal-forms.ts";
import type { Value } from "#src/rules/expressions/host-function.ts";
import { createAddressStandIns } from "./address-stand-ins.ts";
import { createKeyedDraws, walkWithin, type KeyedDraws } from "./keyed-draws.ts";

/** Whose mailboxes are open to everybody, so that the domain says nothing of a person. */
const FREE_MAIL: ReadonlySet<string> = new Set(
  (
    "gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com mac.com " +
    "aol.com proton.me protonmail.com gmx.com gmx.net gmx.de web.de t-online.de mail.com zoho.com fastmail.com ukr.net " +
    "i.ua meta.ua bigmir.net wp.pl o2.pl onet.pl interia.pl seznam.cz email.cz centrum.cz orange.fr free.fr libero.it " +
    "laposte.net mail.ru yandex.ru abv.bg freemail.hu citromail.hu"
  ).split(" "),
);

/** Labels of a domain that stand for themselves; those further to the left are one. */
const MOST_LABELS = 4;
/** The chance that two of ten million values get one word: of 12 syllables 2^-28, of 16 syllables 2^-52. */
const [SHORT, LONG] = [12, 16];
/** A name with a mark that names do not have, and one of more than 60 characters; both in the normal form of the plain one. */
const HOLDER_FORMS = [" ", " * ", " ".repeat(64)];

/** One letter, one again and again, and a placeholder: for a name of another anomaly than its normal form. */
const HOLDER_SAMPLES = ["X", "XX", "TEST"];
/** Anomalies of names that are nobody's. An ordinal, as in 3RD, has letters of its own that do not count. */
const NOBODY: ReadonlySet<string> = new Set(HOLDER_SAMPLES.map(holderAnomaly));

/**
 * The stand-in of a request, without fields that no check has. Of a card BIN and expiry stay.
 * @param key at least 32 random bytes
 */
export function createStandIns(key: Uint8Array, ruleSet: RuleSet): (request: CheckRequest) => CheckRequest {
  const draws = createKeyedDraws(key);
  const named = namedTexts(ruleSet);
  const address = createAddressStandIns(
    draws,
    [...named.all].flatMap((text) => {
      const network = readNetwork(text);
      return network === null ? [] : [network];
    }),
  );
  const own = (field: string, type: ListType | null = null): StandIn => {
    // Stays where a list, or a rule that reads the field, names it.
    const kept = new Set([...named.readWith(field), ...(type === null ? [] : named.listed(type))]);
    const kind = field.replace(/^.*\.|_id$/g, "");
    return (value) => {
      const normal = normalText(value);
      return normal === null || kept.has(normal) ? value : `${kind}-${draws.word(field, normal, LONG)}`;
    };
  };
  const namedHolders = named.readWith("card.holder");
  const lastFour = lastFours(draws, named);
  const standIns: Readonly<Record<string, StandIn | "same">> = {
    operation: "same",
    order_id: own("order_id"),
    amount: "same",
    currency: "same",
    description: own("description"),
    terminal_id: own("terminal_id", "terminal"),
    "payer.payer_ip": (ip) => address(readAddress(ip)!).toString(),
    "payer.email": emails(draws, named),
    "payer.number_phone": phones(draws, named),
    "payer.payer_id": own("payer.payer_id", "payer"),
    "card.holder": (name) => (namedHolders.has(name) ? name : holder(draws, name)),
    "card.bin_card": "same",
    "card.expiration_month": "same",
    "card.expiration_year": "same",
  };
  return (request) => {
    let standIn: Record<string, unknown> = {};
    for (const [path, replaced] of Object.entries(standIns)) {
      const value = getPath(request, path);
      if (value === undefined) continue;
      standIn = setPath(standIn, path, replaced === "same" ? value : replaced(value as string));
    }
    const digits = request.card?.cin_card;
    return digits === undefined ? standIn : setPath(standIn, "card.cin_card", lastFour(digits));
  };
}

/** Takes a value that was found valid. */
type StandIn = (value: string) => string;

/**
 * The mailbox is a word as random as the own one; a tag stays a tag. A free or named domain stays, the labels of others and
 * those below are words of their own, so that one domain is below another as before.
 */
function emails(draws: KeyedDraws, named: NamedTexts): StandIn {
  const kept = new Set(Array.from(named.all, (text) => normalEmail(text)));
  const domains = new Set([
    ...FREE_MAIL,
    ...Array.from(named.all, (text) => normalDomain(text.toLowerCase())),
  ]);

  function domainOf(written: string): string {
    const domain = normalDomain(written);
    const found = coveringDomain(domain, domains);
    if (found === domain) return written;
    const below = (found === null ? domain : domain.slice(0, -found.length - 1)).split(".");
    // As written, because rules may compare it with a text.
    const suffix = found === null ? null : written.split(".").slice(below.length).join(".");
    const far = below.splice(0, Math.max(0, below.length - MOST_LABELS)).join(".");
    if (far !== "") below.unshift(far);
    let [standIn, parent] = [suffix ?? "example", found ?? ""];
    for (const label of below.reverse()) {
      parent = `${label}.${parent}`;
      standIn = `${draws.word("domain", parent, SHORT)}.${standIn}`;
    }
    return standIn;
  }

  return (email) => {
    const [normal, domain] = [normalEmail(email), emailDomain(email) ?? ""];
    // Dots alone, which Gmail leaves out.
    if (normal === null) return `.@${domainOf(domain)}`;
    if (kept.has(normal)) return email;
    const local = normal.slice(0, normal.lastIndexOf("@"));
    const tag = /\+(.*)@/.exec(email.slice(1))?.[1];
    const mailbox = draws.word("mailbox", normal, SHORT) + asRandom(localRandomness(local));
    const tagged = tag === undefined ? mailbox : `${mailbox}+${draws.word("tag", tag, 4)}`;
    const isPlain = email === `${local}${tag === undefined ? "" : `+${tag}`}@${domain}`;
    return `${isPlain ? tagged : respelled(draws, tagged, email)}@${domainOf(domain)}`;
  };
}

/** The end that makes a word as random as this: 20 for each change of letters and digits, 15 for each consonant in a row. */
function asRandom(randomness: number): string {
  let consonants = 0;
  while ((randomness - consonants * 15) % 20 !== 0) consonants += 1;
  const turns = (randomness - consonants * 15) / 20;
  const run = consonants === 0 ? "" : "k".repeat(4 + consonants);
  return run + (turns === 0 ? "" : "7k".repeat(turns).slice(0, turns + 1));
}

/** Another spelling for another spelling: letters in the other case, which no normal form looks at. */
function respelled(draws: KeyedDraws, standIn: string, value: string): string {
  const drawn = draws.bytes("spelling", value);
  return Array.from(standIn, (sign, at) => {
    const isOther = ((drawn[(at >> 3) % drawn.length]! >> (at & 7)) & 1) === 1;
    return !isOther ? sign : sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase();
  }).join("");
}

/** The calling code, the length and what is wrong with the number stay. */
function phones(draws: KeyedDraws, named: NamedTexts): StandIn {
  const written = [...named.listed("phone"), ...[...named.all].filter((text) => text.startsWith("+"))];
  const kept = new Set(written.map(normalPhone));
  const repeats = (digits: string): boolean => /(\d)\1{6}$/.test(digits);
  return (phone) => {
    const digits = normalPhone(phone);
    if (digits === null || kept.has(digits)) return phone;
    const code = [1, 2, 3].find((length) => countriesOfPhone(digits.slice(0, length)) !== null) ?? 3;
    const head = digits.slice(0, code);
    // One digit again and again is a class so small that no walk ends in it: that digit is drawn once.
    const doesRepeat = repeats(digits) && digits.length - code >= 7;
    const free = doesRepeat ? digits.slice(code, -6) : digits.slice(code);
    if (free === "") return phone;
    const whole = (body: string): string => head + body + (doesRepeat ? body.at(-1)!.repeat(6) : "");
    const problem = phoneProblem(`+${digits}`);
    const body = walkWithin(
      free,
      (from) =>
        String(
          draws.permuted(`phone ${head} ${doesRepeat}`, 10n ** BigInt(from.length), BigInt(from)),
        ).padStart(free.length, "0"),
      (other) =>
        phoneProblem(`+${whole(other)}`) === problem &&
        repeats(whole(other)) === repeats(digits) &&
        !kept.has(whole(other)),
    );
    return `+${whole(body)}`;
  };
}

/** One permutation for all cards, as rules may count last fours of several BINs; those of listed cards stay. */
function lastFours(draws: KeyedDraws, named: NamedTexts): (lastFour: number) => number {
  const kept = new Set(named.listed("card").map((text) => Number(/[ -](\d{4})[ -]/.exec(text)?.[1])));
  return (lastFour) =>
    kept.has(lastFour)
      ? lastFour
      : walkWithin(
          lastFour,
          (from) => Number(draws.permuted("last four", 10_000n, BigInt(from))),
          (other) => !kept.has(other),
        );
}

/** Two words with the anomaly of the own name. Placeholders and names of one letter say nothing of a person, and stay. */
function holder(draws: KeyedDraws, name: string): string {
  const normal = normalHolder(name);
  if (normal === null) return name;
  const reversed = normal.split(" ").reverse().join(" ");
  const letters = new Set(normal.replaceAll(/[^\p{L}\p{N}]/gu, ""));
  if (letters.size < 2 || [normal, reversed].some((each) => NOBODY.has(holderAnomaly(each)))) return name;
  const word = draws.word("holder", normal, SHORT).toUpperCase();
  const forms = ["", "7"].flatMap((digit) =>
    HOLDER_FORMS.map((between) => word.slice(0, 8) + digit + between + word.slice(8)),
  );
  const anomaly = holderAnomaly(name);
  const form = [...forms, ...HOLDER_SAMPLES].find((each) => holderAnomaly(each) === anomaly) ?? forms[0]!;
  return name === name.toUpperCase() ? form : respelled(draws, form, name);
}

const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g;

type NamedTexts = ReturnType<typeof namedTexts>;

/** What a rule file names: texts in its lists, in the parameters of its rules and in their conditions. */
function namedTexts({ rules, lists }: RuleSet) {
  const entries = [...lists.values()].flatMap((list) => list.entries);
  const ofRules = rules.map(({ params, expression }) => ({
    fields: expression.fields,
    texts: [
      ...RISK_LEVELS.flatMap((level) => Object.values(params[level]).flatMap(textsIn)),
      ...Array.from(expression.source.matchAll(QUOTED), ([, double, single]) => double ?? single ?? ""),
    ],
  }));
  return {
    all: new Set([...entries.map(({ text }) => text), ...ofRules.flatMap(({ texts }) => texts)]),
    /** Entries of this type in any list. */
    listed: (type: ListType): readonly string[] =>
      entries.flatMap((entry) => (entry.type === type ? entry.text : [])),
    /** Texts of the rules that read this field. */
    readWith: (field: string): ReadonlySet<string> =>
      new Set(ofRules.flatMap(({ fields, texts }) => (fields.includes(field) ? texts : []))),
  };
}

function textsIn(value: Value): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
