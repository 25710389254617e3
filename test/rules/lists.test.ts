// Entries of lists that hold for a time: by the time of the payment, from inclusive and until exclusive.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counterKeys } from "#src/rules/counters/counter-keys.ts";
import { createSituation, type NamedList, type Situation } from "#src/rules/decision/situation.ts";
import { createList, type ListEntry } from "#src/rules/rule-file/lists.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import { DAY, NOON, factsOf, payment, starterText } from "./sample.ts";

function at(now: number, request = payment()): Situation {
  return createSituation(factsOf(request, "medium", now), counterKeys(request, "p", "s"), [], {
    rates: null,
    lists: new Map(),
  });
}

const found = (list: NamedList, now: number): string | null => list.find(at(now));

describe("an entry for a domain or a mailbox", () => {
  const FORMS = ["пошта.укр", "xn--80a1acn3a.xn--j1amh", "ПОШТА.УКР", "XN--80A1ACN3A.XN--J1AMH"];
  const written = FORMS.flatMap((entry) => FORMS.map((domain) => [entry, domain] as const));

  it.each(written)("%s fits an e-mail address at %s", (entry, domain) => {
    const from = (email: string): Situation => at(NOON, payment({ payer: { email } }));
    const list = createList([{ type: "domain", text: entry }]);
    for (const email of [`a@${domain}`, `a@shop.${domain}`, `a@магазин.${domain}.`])
      expect(list.find(from(email))).toBe(`domain ${entry}`);
    expect(list.find(from(`a@not${domain}`))).toBeNull();
    const mailbox = createList([{ type: "email", text: `a@${entry}` }]);
    expect(mailbox.find(from(`A+shop@${domain}`))).toBe(`email a@${entry}`);
    expect(mailbox.find(from(`b@${domain}`))).toBeNull();
  });

  it("fits in domain_in of a rule, too", async () => {
    const rule = (entry: string): string => `
  - code: LISTED_DOMAIN
    text: it is listed
    effect: block
    when: domain_in(email_domain(), bad)
    params: { bad: ["${entry}"] }
    tests:
${FORMS.map((domain) => `      - { given: { payer: { email: "a@shop.${domain}" } }, expect: hit }`).join("\n")}
      - { given: { payer: { email: a@укр } }, expect: no_hit }
`;
    for (const entry of FORMS) await loadRules(starterText.trimEnd() + rule(entry), "domains.yaml");
  });
});

describe("an entry with from and until", () => {
  it("holds from the first moment on, and no longer at the last", () => {
    const list = createList([{ type: "payer", text: "payer-1", from: NOON, until: NOON + DAY }]);
    expect(found(list, NOON - 1)).toBeNull();
    expect(found(list, NOON)).toBe("payer payer-1");
    expect(found(list, NOON + DAY - 1)).toBe("payer payer-1");
    expect(found(list, NOON + DAY)).toBeNull();
    // Time may go back, as in another replay.
    expect(found(list, NOON)).toBe("payer payer-1");
  });

  it("is asked for a field only while it holds", () => {
    const list = createList([{ type: "domain", text: "example.com", until: NOON }]);
    const nobody = payment({ payer: { email: undefined } });
    expect(list.missing(at(NOON - 1, nobody))).toMatch(/payer\.email/);
    expect(list.missing(at(NOON, nobody))).toBeNull();
  });

  it("is the same as a list of the entries that hold at the time, in any order of times", () => {
    const time = fc.integer({ min: 0, max: 12 }).map((n) => NOON + n);
    const entry: fc.Arbitrary<ListEntry> = fc
      .record({
        what: fc.constantFrom<Pick<ListEntry, "type" | "text">>(
          { type: "payer", text: "payer-1" },
          { type: "bin", text: "411111" },
          { type: "domain", text: "example.com" },
          { type: "email", text: "olena@example.com" },
          { type: "ip", text: "203.0.113.0/24" },
          { type: "terminal", text: "another" },
        ),
        from: fc.option(time, { nil: undefined }),
        until: fc.option(time, { nil: undefined }),
      })
      .map(({ what, from, until }) => ({
        ...what,
        ...(from !== undefined && { from }),
        ...(until !== undefined && { until }),
      }));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), fc.array(time), (entries, times) => {
        const list = createList(entries);
        for (const now of times) {
          const holding = entries
            .filter(({ from = -Infinity, until = Infinity }) => from <= now && now < until)
            .map(({ type, text }) => ({ type, text }));
          expect(found(list, now)).toBe(found(createList(holding), now));
        }
      }),
    );
  });

  it("is written as a day or as a time, and the sandbox's rules take it by the time of the payment", async () => {
    const text = starterText.replace(
      "blocked: []",
      "blocked: [{ payer: payer-1, from: 2026-03-16, until: 2026-03-16T12:00:00Z, note: until it is cleared }]",
    );
    const list = (await loadRules(text, "dated.yaml")).lists.get("blocked")!;
    expect(found(list, Date.parse("2026-03-16T00:00:00Z"))).toBe("payer payer-1");
    expect(found(list, Date.parse("2026-03-15T23:59:59Z"))).toBeNull();
    expect(found(list, NOON - 1)).toBe("payer payer-1");
    expect(found(list, NOON)).toBeNull();
  });
});
