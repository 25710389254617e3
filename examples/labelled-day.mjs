// Writes the payments of an ordinary merchant with what became of each, the same ones for the same seed on every machine:
// node labelled-day.mjs [--seed 1] [--count 10000] [--start 2026-03-01] [--days 1] [--output day.ndjson | day.csv] [--labels FILE]
//
// 3 % of the payments are bad: cards tried in bursts, accounts taken over, stolen cards, and disputes by customers who look
// like all others. Each one's kind is in its tags. Nobody here exists: mailboxes are at domains for documentation, or have an
// underscore, which no mailbox at Gmail has; numbers have area codes that are not given out; IPv4 addresses are of networks
// that no household has, IPv6 ones for documentation (RFC 3849).

import { closeSync, openSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";

const given = options();
const [SEED, COUNT, DAYS] = [whole("seed", 0), whole("count", 1), whole("days", 1)];
const START = Date.parse(`${given.start}T00:00:00Z`);
if (Number.isNaN(START)) stop(`--start "${given.start}" is no day such as 2026-03-01`);

function options() {
  const text = (fallback) => ({ type: "string", ...(fallback !== undefined && { default: fallback }) });
  const [seed, count, start, days] = [text("1"), text("10000"), text("2026-03-01"), text("1")];
  try {
    return parseArgs({ options: { seed, count, start, days, output: text(), labels: text() } }).values;
  } catch (error) {
    return stop(error.message);
  }
}

function whole(name, least) {
  const number = Number(given[name]);
  return Number.isSafeInteger(number) && number >= least && number <= 10_000_000
    ? number
    : stop(`--${name} must be a whole number from ${least} to 10000000`);
}

function stop(problem) {
  writeSync(2, `${problem}\n`);
  process.exit(2);
}

/** mulberry32: a stream of numbers from 0 to below 1 for a seed and the number of a customer or an attack. */
function lots(what, number) {
  let state =
    Math.imul(SEED + 1, 0x9e37_79b1) ^ Math.imul(number + 1, 0x85eb_ca6b) ^ Math.imul(what, 0xc2b2_ae35);
  const next = () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 4; i++) next();
  const below = (limit) => Math.floor(next() * limit);
  return {
    next,
    below,
    between: (from, to) => from + below(to - from + 1),
    /** True in so many of a hundred cases. */
    in100: (share) => next() * 100 < share,
    one: (list) => list[below(list.length)],
    /** One of `[value, share]`; the shares need no certain sum. */
    weighted(list) {
      let rest = next() * list.reduce((sum, [, share]) => sum + share, 0);
      return (list.find(([, share]) => (rest -= share) < 0) ?? list.at(-1))[0];
    },
    /** Log-normal around a median. Sums and products only, which are the same on every machine; exp and log are not. */
    around(median, sigma) {
      let sum = -6;
      for (let i = 0; i < 12; i++) sum += next();
      let grown = 1 + (sum * sigma) / 1024;
      for (let i = 0; i < 10; i++) grown *= grown;
      return median * grown;
    },
  };
}

// Where customers live, and their share of a hundred: currency, its units for a EUR, and an area code that is not given out.
const COUNTRIES = [
  [{ currency: 980, rate: 49, phone: ["+38020", 7], terminal: "ua" }, 68],
  [{ currency: 978, rate: 1, phone: ["+493023125", 3], terminal: "eu" }, 12],
  [{ currency: 985, rate: 4.24, phone: ["+4840", 7], terminal: "pl" }, 8],
  [{ currency: 840, rate: 1.17, phone: ["+120255501", 2], terminal: "us" }, 6],
  [{ currency: 826, rate: 0.856, phone: ["+447700900", 3], terminal: "eu" }, 3],
  [{ currency: 203, rate: 24.7, phone: ["+42010", 7], terminal: "eu" }, 2],
  [{ currency: 392, rate: 169, minor: 1, phone: ["+812010", 6], terminal: "us" }, 1],
];
const FIRST =
  "OLENA TARAS IRYNA PETRO MARTA OLEH ANNA IVAN SOFIIA MAKSYM KATERYNA ANDRII JAN EWA PIOTR LENA PAUL CLARA JAMES EMILY JIRI HANA YUKI KENJI NADIIA BOHDAN ROMAN DARIA".split(
    " ",
  );
const STEMS =
  "KOVAL MELN BOND TKACH KRAV LYS MOR SAVCH PETR HRYTS NOV ZIEL WEB FISCH KLEIN BAK WRIGHT DVOR TANAK DANYL FED OSTAP ROMAN SYD HORB VERB DUBR CHORN BIL SOROK HAI LUTS OREL".split(
    " ",
  );
const ENDINGS = "ENKO CHUK IUK SKYI SKA OVA IN ER MANN YK YSHYN ETS EK INSKI".split(" ");
const DOMAINS = [
  ["gmail.com", 44],
  ["post.example", 20],
  ["mail.example", 12],
  ["inbox.example", 9],
  ["webmail.example", 8],
  ["campus.example", 4],
  ["googlemail.com", 3],
];
const DISPOSABLE = ["mailinator.com", "yopmail.com", "guerrillamail.com", "tempmail.net"];
/** How busy each hour is, by UTC; evenings most. */
const HOURS = [2, 1, 1, 1, 2, 3, 6, 9, 12, 14, 15, 15, 14, 13, 13, 14, 16, 19, 22, 24, 21, 15, 9, 4];
/** At this hour of the middle day a sale begins: three times as busy. */
const SALE = { day: Math.floor(DAYS / 2), hour: 18 };
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const times = Array.from({ length: DAYS * 24 }, (_, hour) => {
  const isSale = hour === SALE.day * 24 + SALE.hour;
  return [START + hour * 60 * MINUTE, HOURS[hour % 24] * (isSale ? 3 : 1)];
});
const busy = times.flatMap(([at, weight]) => Array.from({ length: weight }, () => at));

const CUSTOMERS = Math.max(10, Math.ceil((COUNT * 3) / (3 + Math.sqrt(DAYS))));
const CARRIER_ADDRESSES = Math.max(4, Math.ceil(COUNT / DAYS / 20));
/** More often bought by: most customers once, some several times a week or a day. */
const buyers = Array.from({ length: CUSTOMERS }, (_, n) =>
  Array.from({ length: n % 33 === 0 ? 5 : n % 9 === 0 ? 2 : 1 }, () => n),
).flat();

/** BINs of cards: Visa, Mastercard of both series, American Express; none of a published test card. */
const drawn = lots(8, 0);
const TEST_BINS = [411_111, 401_288, 424_242, 400_005, 555_555, 510_510, 520_082, 222_300, 378_282, 371_449];
const BINS = Array.from({ length: 240 }, () =>
  drawn.weighted([
    [400_000 + drawn.below(100_000), 48],
    [510_000 + drawn.below(50_000), 42],
    [222_100 + drawn.below(49_000), 7],
    [370_000 + drawn.below(10_000), 3],
  ]),
).filter((bin) => !TEST_BINS.includes(bin));
/** A few banks issue most cards. */
const anyBin = (luck) => BINS[Math.floor(luck.next() * luck.next() * BINS.length)];
/** Shops with a terminal of their own: busy ones, yet none with more than some hundred payments a day. */
const SHOPS = Math.max(3, Math.ceil(COUNT / DAYS / 150));
const surname = (luck) => luck.one(STEMS) + luck.one(["", "OV", "EN", "AR", "IV", "UL"]) + luck.one(ENDINGS);

const octets = (first, number) => `${first}.${(number >> 8) & 255}.${number & 255}`;
const card = (luck, holder, bin = anyBin(luck)) => {
  // Nobody pays with a card that expires before the last day.
  const months = luck.between(2, 58) + Math.floor(DAYS / 31) + START / (30.44 * DAY);
  return {
    holder,
    bin_card: bin,
    cin_card: luck.below(10_000),
    expiration_month: 1 + (Math.floor(months) % 12),
    expiration_year: (70 + Math.floor(months / 12)) % 100,
  };
};

const known = new Map();
/** A customer's habits, by number. Each eighth shares a home, some a card, with the one before; each 50th is a company. */
function customer(n) {
  if (known.has(n)) return known.get(n);
  const luck = lots(1, n);
  const partner = n % 8 === 7 ? customer(n - 1) : null;
  const isCompany = n % 50 === 21;
  const country = partner?.country ?? luck.weighted(COUNTRIES);
  const [first, last] = [luck.one(FIRST), partner?.last ?? surname(luck)];
  const holder = luck.in100(1)
    ? `${first} ${luck.one(FIRST)}-${last}`
    : luck.in100(0.4)
      ? first[0]
      : `${first} ${last}`;
  const domain = isCompany ? `firm-${n}.example` : luck.weighted(DOMAINS);
  const tail = luck.one(["", luck.between(50, 99), luck.between(1960, 2008), n]);
  const mailbox = isCompany
    ? luck.one(["office", "orders", "accounts"])
    : `${first}${luck.one(["_", "_", "._"])}${last}${tail}`.toLowerCase();
  const [prefix, digits] = country.phone;
  const made = {
    n,
    country,
    last,
    isCompany,
    partner,
    payer: {
      email: `${mailbox}@${domain}`,
      ...(luck.in100(80) && {
        number_phone: prefix + String(luck.below(10 ** digits)).padStart(digits, "0"),
      }),
      ...(luck.in100(94) && { payer_id: `c-${String(n).padStart(6, "0")}` }),
    },
    cards: Array.from(
      {
        length: isCompany
          ? 4
          : luck.weighted([
              [1, 70],
              [2, 25],
              [3, 5],
            ]),
      },
      () => card(luck, holder),
    ),
    // A home's network, a carrier's that hundreds share, or an office's.
    home:
      partner?.home ??
      (luck.in100(18)
        ? `2001:db8:${luck.below(65_536).toString(16)}:${(n & 65_535).toString(16)}::`
        : `${octets(11, n)}.`),
    host: partner?.host ?? luck.between(2, 250),
    office: luck.in100(9) || isCompany ? `${octets(33, luck.below(1 + CUSTOMERS / 300))}.7` : null,
    carrier: luck.in100(35),
    abroad: luck.in100(3)
      ? `${octets(luck.one([26, 28]), luck.below(65_536))}.${luck.between(2, 250)}`
      : null,
    median: luck.around(isCompany ? 160 : 26, 0.8),
    subscription: luck.in100(5),
    shop: 1 + luck.below(SHOPS),
  };
  if (partner !== null && luck.in100(40)) made.cards = partner.cards;
  known.set(n, made);
  return made;
}

function addressOf(who, luck) {
  if (who.abroad !== null && luck.in100(80)) return who.abroad;
  if (who.carrier && luck.in100(60)) return `${octets(22, luck.below(CARRIER_ADDRESSES))}.${1 + (who.n % 3)}`;
  if (who.office !== null && luck.in100(50)) return who.office;
  const host = luck.in100(85) ? who.host : luck.between(2, 250);
  return who.home.endsWith(":") ? who.home + host.toString(16) : who.home + host;
}

/** Minor units as shops price: mostly whole or ending in 99, 50 or 90. */
function price(eur, { rate, minor = 100 }, luck) {
  const major = Math.max(1, Math.floor(eur * rate));
  return (
    major * minor -
    (minor === 1
      ? 0
      : luck.weighted([
          [0, 45],
          [1, 30],
          [50, 10],
          [10, 10],
          [luck.below(99), 5],
        ]))
  );
}

const payments = [];
function pay(at, outcome, tags, who, facts) {
  const {
    ip = null,
    terminal = `web-${who.country.terminal}-${who.shop}`,
    operation = "payment",
    payer = who.payer,
  } = facts;
  payments.push({
    at: Math.min(Math.max(at, START), START + DAYS * DAY - 1),
    outcome,
    tags,
    request: {
      operation,
      amount: facts.amount,
      currency: who.country.currency,
      terminal_id: terminal,
      payer: { ...(ip !== null && { payer_ip: ip }), ...payer },
      card: facts.card,
    },
  });
}

/** One purchase of a good customer, now and then with a mistyped card before it; some are disputed or given back. */
function purchase(n, isDisputed) {
  const luck = lots(2, n);
  const who = customer(luck.one(buyers));
  const at = luck.one(busy) + luck.below(60 * MINUTE);
  const outcome = isDisputed ? "chargeback" : luck.in100(2) ? "refund" : "good";
  const used = luck.in100(85) ? who.cards[0] : luck.one(who.cards);
  if (who.subscription && !isDisputed && luck.in100(40)) {
    const amount = price(4 + (who.n % 4) * 3, who.country, lots(7, who.n));
    return pay(START + luck.below(DAYS) * DAY + luck.below(240) * MINUTE, outcome, ["subscription"], who, {
      card: used,
      amount,
      operation: "recurring",
    });
  }
  const email = luck.in100(1)
    ? who.payer.email.replace("@", "+shop@")
    : luck.in100(1)
      ? who.payer.email.toUpperCase()
      : who.payer.email;
  const facts = {
    ip: addressOf(who, luck),
    payer: { ...who.payer, email },
    card: used,
    amount: price(luck.around(who.median, 0.5), who.country, luck),
    ...(luck.in100(30) && { terminal: `${luck.one(["app", "link"])}-${1 + luck.below(SHOPS)}` }),
  };
  const tags = [
    isDisputed ? "friendly" : who.abroad === facts.ip ? "traveller" : who.isCompany ? "company" : "customer",
  ];
  const typos = isDisputed
    ? 0
    : luck.weighted([
        [0, 95],
        [1, 4],
        [2, 1],
      ]);
  for (let back = typos; back > 0; back--) {
    const wrong = luck.in100(60)
      ? { cin_card: luck.below(10_000) }
      : { expiration_month: luck.between(1, 12) };
    pay(at - back * luck.between(20_000, 90_000), "good", ["typo"], who, {
      ...facts,
      card: { ...used, ...wrong },
    });
  }
  pay(at, outcome, tags, who, facts);
}

const SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789";
const random = (luck, length) => Array.from({ length }, () => SIGNS[luck.below(SIGNS.length)]).join("");

/** Many cards of one BIN with small amounts, from one address, from a network, or from many; some slowly. */
function cardTesting(n, most) {
  const luck = lots(3, n);
  const who = { country: luck.weighted(COUNTRIES), shop: 1 + luck.below(SHOPS) };
  const [bin, pattern, isSlow] = [
    luck.one(BINS),
    luck.one(["address", "network", "networks"]),
    luck.in100(25),
  ];
  const net = luck.below(65_536);
  const payer = { email: `${random(luck, 10)}@${luck.one(DISPOSABLE)}`, payer_id: `c-${random(luck, 6)}` };
  let at = START + luck.below(DAYS * 1380) * MINUTE;
  for (let left = Math.min(most, luck.between(12, 60)); left > 0; left--) {
    at += isSlow ? luck.between(300_000, 1_200_000) : luck.between(4000, 40_000);
    const last = pattern === "networks" ? luck.below(65_536) : net;
    const ip = `${octets(pattern === "networks" ? 30 : 29, last)}.${pattern === "address" ? 66 : luck.between(2, 250)}`;
    const tried = card(luck, `${luck.one(FIRST)} ${surname(luck)}`, bin);
    const fresh = luck.in100(50)
      ? { email: `${random(luck, 11)}@${luck.one([...DISPOSABLE, "mail.example", "post.example"])}` }
      : payer;
    const amount = Math.max(
      1,
      Math.floor((0.3 + luck.next() * 1.7) * who.country.rate * (who.country.minor ?? 100)),
    );
    pay(at, "fraud", ["card-testing"], who, { ip, card: tried, payer: fresh, amount });
  }
}

/** A known customer pays with a new card from a new address, and more than usual. */
function takeover(n, most) {
  const luck = lots(4, n);
  const who = customer(luck.one(buyers));
  const ip = `${octets(luck.one([26, 29, 30]), luck.below(65_536))}.${luck.between(2, 250)}`;
  let at = START + luck.below(DAYS * 1440) * MINUTE;
  const outcome = luck.in100(60) ? "chargeback" : "fraud";
  for (let left = Math.min(most, luck.between(1, 4)); left > 0; left--) {
    const stolen = card(luck, luck.in100(50) ? who.cards[0].holder : `${luck.one(FIRST)} ${surname(luck)}`);
    pay(at, outcome, ["takeover"], who, {
      ip,
      card: stolen,
      amount: price(luck.around(who.median * 6, 0.5), who.country, luck),
    });
    at += luck.between(40_000, 900_000);
  }
}

/** A new payer with one stolen card; often a few amounts in a row until one goes through. */
function stolenCard(n, most) {
  const luck = lots(5, n);
  const who = { country: luck.weighted(COUNTRIES), shop: 1 + luck.below(SHOPS) };
  const [first, last] = [luck.one(FIRST), surname(luck)];
  const mailbox = luck.in100(35) ? random(luck, 9) : `${first}_${last}${luck.below(1000)}`.toLowerCase();
  const domain = luck.in100(20)
    ? luck.one(DISPOSABLE)
    : luck.one(["mail.example", "post.example", "inbox.example"]);
  const payer = {
    email: `${mailbox}@${domain}`,
    ...(luck.in100(60) && { payer_id: `c-${random(luck, 6)}` }),
  };
  const ip = luck.in100(50)
    ? `${octets(11, luck.below(65_536))}.${luck.between(2, 250)}`
    : `${octets(29, luck.below(65_536))}.${luck.between(2, 250)}`;
  const stolen = card(
    luck,
    luck.in100(90) ? `${first} ${last}` : luck.one(["TEST", "CARD HOLDER", `${first} 1`]),
  );
  let [at, eur] = [START + luck.below(DAYS * 1440) * MINUTE, luck.around(140, 0.8)];
  const outcome = luck.in100(50) ? "chargeback" : "fraud";
  for (
    let left = Math.min(
      most,
      luck.weighted([
        [1, 55],
        [2, 20],
        [3, 15],
        [5, 10],
      ]),
    );
    left > 0;
    left--
  ) {
    pay(at, outcome, ["stolen"], who, { ip, card: stolen, payer, amount: price(eur, who.country, luck) });
    at += luck.between(30_000, 600_000);
    eur *= luck.one([0.5, 0.7, 1, 1.4]);
  }
}

// The bad ones first, up to their share of the count; then good ones fill it.
const BAD = Math.round(COUNT * 0.03);
for (const [attack, share] of [
  [cardTesting, 0.4],
  [takeover, 0.2],
  [stolenCard, 0.25],
  [(n) => purchase(1_000_000_000 + n, true), 0.15],
]) {
  const until = payments.length + Math.round(BAD * share);
  for (let n = 0; payments.length < until; n++) attack(n, until - payments.length);
}
for (let n = 0; payments.length < COUNT; n++) purchase(n, false);
payments.length = COUNT;
payments.sort((one, other) => one.at - other.at);

const orderId = (index) => `o-${String(index + 1).padStart(7, "0")}`;
const flat = ({ operation, amount, currency, terminal_id, payer, card: used }) => [
  operation,
  amount,
  currency,
  terminal_id,
  payer.payer_ip,
  payer.email,
  payer.number_phone,
  payer.payer_id,
  used.holder,
  used.bin_card,
  used.cin_card,
  used.expiration_month,
  used.expiration_year,
];
const HEADER =
  "at,outcome,tags,order_id,operation,amount,currency,terminal_id,payer.payer_ip,payer.email,payer.number_phone,payer.payer_id,card.holder,card.bin_card,card.cin_card,card.expiration_month,card.expiration_year";

function csvLine({ at, outcome, tags, request }, index) {
  // A plus at the start of a cell is a formula to a spreadsheet; an apostrophe before it is taken off when the row is read.
  const cells = flat(request).map((cell = "") => (String(cell).startsWith("+") ? `'${cell}` : cell));
  return [new Date(at).toISOString(), outcome, tags.join(";"), orderId(index), ...cells].join(",");
}

function jsonLine({ at, outcome, tags, request }, index) {
  const { operation, ...rest } = request;
  return JSON.stringify({
    at: new Date(at).toISOString(),
    outcome,
    tags,
    request: { operation, order_id: orderId(index), ...rest },
  });
}

/** Days until it is known: fraud that is found at once or soon, disputes after weeks, refunds, and goods that arrived. */
const DELAYS = { fraud: [0, 5], chargeback: [7, 75], refund: [1, 20], good: [1, 3] };
function labelLine({ at, outcome }, index) {
  const luck = lots(6, index);
  return [
    orderId(index),
    outcome,
    new Date(at + luck.between(...DELAYS[outcome]) * DAY + luck.below(DAY)).toISOString(),
  ].join(",");
}

function write(file, header, line) {
  const to = file === undefined ? 1 : openSync(file, "w");
  for (let from = 0; from < COUNT; from += 5000) {
    const lines = payments.slice(from, from + 5000).map((each, index) => `${line(each, from + index)}\n`);
    let bytes = Buffer.from((from === 0 ? header : "") + lines.join(""));
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(to, bytes));
  }
  if (file !== undefined) closeSync(to);
}

if (given.output?.endsWith(".csv")) write(given.output, `${HEADER}\n`, csvLine);
else write(given.output, "", jsonLine);
if (given.labels !== undefined) write(given.labels, "order_id,outcome,at\n", labelLine);
