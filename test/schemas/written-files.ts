// One file of each kind that people write, with every key that it may have.

const REQUEST = {
  operation: "payment",
  order_id: "order-1",
  amount: 12_000,
  currency: 980,
  payer: { email: "ann@example.com", payer_ip: "203.0.113.7", number_phone: "+380501234567" },
  card: { bin_card: 411_111, cin_card: 42, expiration_month: 12, expiration_year: 29 },
};

export const ENVELOPE = {
  $schema: "./payload.json",
  name: "one",
  expect: "pass",
  tags: ["a", "b"],
  at: "2026-01-15T10:00:00Z",
  answer: { outcome: "answered", verdict: "pass" },
  request: REQUEST,
};

export const RULES = {
  name: "mine",
  thresholds: {
    low: { three_ds: 60, block: 100 },
    medium: { three_ds: 50, block: 90 },
    high: { three_ds: 40, block: 80 },
  },
  rates: { as_of: "2026-01-15", per_eur: { UAH: 48.8, EUR: 1 } },
  lists: {
    blocked: [
      { email: "fraud@example.com", note: "a chargeback" },
      { bin: 411_111 },
      { ip: "203.0.113.0/24" },
    ],
  },
  sample: { at: "2026-01-15T10:00:00Z", project_currency: 980, request: REQUEST },
  rules: [
    {
      code: "CARD_TWICE",
      text: "{n} attempts with this card",
      clear: "few attempts",
      when: 'velocity("card", "1h") > limit',
      params: { limit: { low: 3, medium: 2, high: 1 } },
      score: { low: 10, medium: 20, high: 30 },
      needs: ["card.bin_card"],
      mode: "live",
      tests: [
        {
          name: "many",
          given: { amount: 5, payer: null },
          counts: { "velocity/card/1h": 7 },
          lists: { blocked: [{ terminal: "t-1" }] },
          level: "low",
          at: "2026-01-15T11:00:00Z",
          expect: "hit",
        },
      ],
    },
    {
      code: "LISTED",
      text: "it is listed",
      when: 'list_entry("blocked") != ""',
      effect: "block",
      params: {},
    },
  ],
};

export const DECK = {
  title: "A story",
  summary: "What happens.",
  start: "2026-01-15T10:00:00Z",
  seed: 7,
  project: { merchant: "shop", name: "Shop", description: "A shop", currency: "UAH", risk_level: "low" },
  steps: [
    { say: "One", note: "To say", payload: REQUEST, expect: "pass", can_force_3ds: "no" },
    {
      say: "Many",
      change: { amount: 5, "payer.email": null, card: null },
      repeat: 2,
      every: "+1m",
      expect: ["pass", "pass"],
    },
    { say: "Later", clock: "+24h", same_order: true, risk_level: "high" },
    { say: "Elsewhere", project: { merchant: "other", currency: 980 } },
    { say: "Other rules", rules: "other.yaml", watch: ["card/1h"], seconds: 4.5, fault: 503 },
    { say: "Broken", fault: "latency 400ms" },
    { say: "Levels", side_by_side: ["low", "medium", "high"], expect: ["pass", "pass", "block"] },
    { say: "A day", stream: "day.csv", over: "20s", rules: ["starter", "other.yaml"], stop_at: ["o-1"] },
  ],
  words: { pass: "Yes", step: "{n} of {all}" },
  watch: ["card/1h", "card per payer/30d"],
};

export const RECIPE = {
  recipe: "mine",
  status: "assumed",
  about: "One of mine.",
  key: { encoding: "utf8" },
  hash: "hmac-sha256",
  values: { region: "eu-1" },
  time: { header: "x-time", format: "unix-s", skew_s: 60 },
  nonce: { header: "x-nonce", format: "hex:16" },
  body_digest: { header: "digest", hash: "sha256", over: "{body}", render: "SHA-256={b64}", empty: "omit" },
  derive: ["{secret}", "{region}"],
  canonical: { style: "template", text: "{method}\n{path}\n{time}{nonce}{digest}", components: ["x-key-id"] },
  signature: { encoding: "hex" },
  emit: { authorization: "Own {signature}" },
  endpoints: {
    register: { authorization: "" },
    credential: {
      signature: { encoding: "base64" },
      canonical: { style: "header-lines", components: ["x-time"], join: "\n" },
    },
  },
  vectors: [
    {
      name: "one",
      call: "check",
      method: "POST",
      url: "https://check.example/v1/check",
      headers: { "content-type": "application/json" },
      body: "{}",
      key_id: "k",
      test_secret: "s",
      algorithm: "hmac-sha256",
      owner: "p",
      at: "2026-01-15T10:00:00Z",
      nonce: "00",
      expect: { string_to_sign: "x", headers: { authorization: "y" } },
    },
  ],
};

export const SETTINGS_YAML = {
  theme: "default",
  ascii: false,
  screen_reader: false,
  colors: { accent: "bright-cyan", bar: "black on white" },
  notify: "bell",
  quiet: "gray",
  mouse: true,
  presenter: false,
};

export const KEYS_YAML = { "check.sendAnywhere": ["ctrl+r", "f5"], "history.resend": "f6" };

export const COMMANDS_YAML = {
  "open-order": {
    key: "f7",
    label: "open it",
    run: ["open", "--id={id}"],
    on: ["history"],
    sends: false,
    wait: true,
  },
};
