// What an audience sees of a state: personal things masked wherever they stand, and everything that decides left as it is.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { MASK } from "#src/display/mask.ts";
import { maskedFilter, maskedWords } from "#src/display/masked-words.ts";
import { presentedState } from "#src/display/presented-state.ts";

const REQUEST = {
  operation: "payment",
  order_id: "o-7",
  amount: 100,
  currency: 980,
  payer: { email: "zofia.k@kanarek.example", payer_ip: "203.0.113.77", number_phone: "+380509998877" },
  card: { bin_card: 444_433, cin_card: 42, holder: "Zofia Kanarek" },
};

describe("a state as it is presented", () => {
  it("masks the personal fields of a request wherever it stands, and leaves amount, order and BIN", () => {
    const state = { deep: [{ entry: { request: REQUEST } }] };
    expect(presentedState(state).deep[0]!.entry.request).toEqual({
      ...REQUEST,
      payer: { email: MASK, payer_ip: MASK, number_phone: MASK },
      card: { bin_card: 444_433, cin_card: MASK, holder: MASK },
    });
  });

  it("masks texts about a request, and both parts of its address", () => {
    const entry = {
      request: REQUEST,
      message: "3 of zofia.k@kanarek.example, domain kanarek.example, of ZOFIA KANAREK",
    };
    expect(presentedState(entry).message).toBe(
      "3 of (e-mail hidden), domain (e-mail hidden), of (holder hidden)",
    );
  });

  it("masks the key of a project that is its id, and leaves merchant and risk level", () => {
    expect(presentedState({ project: "prj-1", held: ["prj-1", "shop/low"] })).toEqual({
      project: MASK,
      held: [MASK, "shop/low"],
    });
    expect(presentedState({ project: "shop/low", projectKey: "prj/1" })).toEqual({
      project: "shop/low",
      projectKey: MASK,
    });
  });

  it("leaves the words that decide how something is drawn, whatever a payer is called", () => {
    const entry = {
      request: { ...REQUEST, payer: { payer_id: "pass" }, card: { holder: "answered" } },
      result: { outcome: "answered", recommendation: "pass", message: "pass for answered" },
    };
    expect(presentedState(entry).result).toEqual({
      outcome: "answered",
      recommendation: "pass",
      message: "(payer id hidden) for (holder hidden)",
    });
  });

  it("shows that a text is there, and neither how long it is nor what it was", () => {
    const edit = { text: "zofia", cursor: 2, past: [{ text: "zof", cursor: 3 }], future: [], typing: true };
    const { fields } = presentedState({ fields: { "payer.email": edit, amount: { ...edit, text: "12" } } });
    expect(fields["payer.email"]).toEqual({
      text: MASK,
      cursor: MASK.length,
      past: [],
      future: [],
      typing: true,
    });
    expect(fields.amount.text).toBe("12");
    const empty = presentedState({ fields: { "payer.email": { ...edit, text: "", cursor: 0 } } });
    expect(empty.fields["payer.email"]).toMatchObject({ text: "", cursor: 0 });
  });

  it("shows of the values that a rule compared only amounts, counts and parameters", () => {
    const shown = { 'velocity("email", "1h")': 6, "amount_eur()": 12, limit: 3, "card.bin_card": 444_433 };
    const personal = {
      "months_to_expiry()": -13,
      "email_domain()": "example.com",
      "payer.payer_id": 4711,
      "later()": 1,
    };
    const { values } = presentedState({ values: { ...shown, ...personal } });
    expect(values).toEqual({
      ...shown,
      ...Object.fromEntries(Object.keys(personal).map((name) => [name, MASK])),
    });
  });

  it("leaves the examples of a message, and hides what it quotes", () => {
    const problems = ["must be such as name@example.com", '"zofia" is no number; "verdict help" explains it'];
    expect(presentedState({ problems }).problems).toEqual([
      problems[0],
      '(hidden) is no number; "verdict help" explains it',
    ]);
  });

  it("masks what every text may be about, also in objects with their own request", () => {
    const id = "11111111-2222-4333-8444-555555555555";
    const around = [{ hidden: [id] } as CheckRequest];
    const message = `Project ${id} has no credential yet.`;
    const failed = { request: REQUEST, message, result: { explanation: message }, warnings: [message] };
    const other = { request: { ...REQUEST }, message };
    const state = { message, failed, of: { request: REQUEST, inner: [other, { ...other }] } };
    const shown = presentedState(state, around);
    expect(JSON.stringify(shown)).not.toContain(id);
    expect(shown.failed.message).toBe("Project (hidden) has no credential yet.");
    expect(presentedState({ failed }, around).failed).toBe(shown.failed);
    expect(presentedState({ failed }).failed.message).toBe(message);
  });

  it("gives the same copy for the same state, and other copies for other requests", () => {
    const entry = { request: REQUEST, message: "for zofia.k@kanarek.example" };
    expect(presentedState(entry)).toBe(presentedState(entry));
    const list = { entries: [entry], latest: entry };
    expect(presentedState(list).entries[0]).toBe(presentedState(entry));
  });

  it("never lets a personal text through, in any shape", () => {
    const holder = fc.stringMatching(/^[A-Z][a-z]{3,9} [A-Z][a-z]{3,9}$/);
    const around = fc.array(fc.constantFrom("of", "card", "(limit 3)", "=", ","), { maxLength: 3 });
    fc.assert(
      fc.property(holder, around, around, fc.nat({ max: 3 }), (name, before, after, depth) => {
        const text = [...before, name, ...after].join(" ");
        let state: unknown = { message: text, list: [text], more: { title: text } };
        for (let level = 0; level < depth; level += 1) state = { [`level${level}`]: [state] };
        const entry = { request: { ...REQUEST, card: { holder: name } }, inner: state };
        expect(JSON.stringify(presentedState(entry)).toLowerCase()).not.toContain(name.toLowerCase());
      }),
    );
  });
});

describe("sentences and filters", () => {
  it("mask addresses and telephone numbers, and leave URLs and clock times", () => {
    expect(maskedWords("a@b.example, +38 050 999 8877, 10.0.0.1", [])).toBe(
      "(e-mail hidden), (telephone hidden), (address hidden)",
    );
    const plain = "http://127.0.0.1:8080 at 12:04:11, version 1.2.3";
    expect(maskedWords(plain, [])).toBe(plain);
  });

  it("show a filter as far as it is typed from public words", () => {
    for (const filter of ["verd", "verdict:", "-verdict:blo amount>100", "currency:uah since:2d"])
      expect(maskedFilter(filter)).toBe(filter);
    expect(maskedFilter("verdict:zofia amount>zofia bogus:zofia zofia")).toBe(
      `verdict:${MASK} amount>${MASK} bogus:${MASK} ${MASK}`,
    );
  });

  it("mask personal terms and free text, and leave the others", () => {
    expect(maskedFilter('verdict:block email:a@b.example -payer=x "zofia k" since:2d olena')).toBe(
      `verdict:block email:${MASK} -payer=${MASK} ${MASK} since:2d ${MASK}`,
    );
  });
});
