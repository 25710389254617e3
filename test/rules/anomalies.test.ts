// Names, mailboxes, telephone numbers and addresses that cannot be a person's, and those that can.

import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { countriesOfPhone } from "#src/contract/lists/calling-codes.ts";
import { isBogon, readAddress, readNetwork } from "#src/rules/values/address.ts";
import { holderAnomaly, localRandomness, phoneProblem } from "#src/rules/values/anomalies.ts";

/** Written for this test, as people and firms stand on cards or type themselves; nobody is meant. */
const HOLDERS = `
OLENA SAMPLE; Ольга Ковальчук; J. O'NEIL-SMITH; Nguyễn Văn A; 李小龍; Li; Bo; Ö. Åberg; JOHN SMITH 3RD; JOHN SMITH III
John Smith Jr.; JOHN SMITH, SR; VAN DEN BERG (SR); J. VAN DER MEER; D’ANGELO MARIO; Jean-Luc Pichon; MARIA DE LA CRUZ
Anne-Marie von und zu Hohenfels; MR JOHN A BAKER; MRS. EMILY WRIGHT; Dr. med. Klaus Fischer; PROF. DR. PETRA KLEIN
HENRY WALES 2ND; WILLIAM FORD 4TH; LOUIS 14TH SAMPLE; SMITH/JOHN MR; SMITH, JOHN; MR & MRS BAKER; JAN+EWA NOWAK; O'BRIEN SEAN
MÜLLER HANS-PETER; İbrahim Şahin; ŁUKASZ ŻÓŁĆ; Ærø Ødegård; José Ángel Núñez; João d´Ávila; Łucja "Lusia" Nowak
Zoë van 't Hoff; ABU BAKR AL-SAYED; Muhammad ibn Yusuf; Nikos Παπαδόπουλος; Дар'я Кравець; Софія Кравець-Бондар; Ґалаґан Іван
田中 太郎; 김민준; สมชาย ใจดี; मोहन दास; יוסף כהן; محمد علي; S K PATEL; R. SUBRAMANIAM; VENKATANARASIMHARAJUVARIPETA RAO
M. GARCIA (TITULAR); Ana Lopez viuda de Ruiz; CHRISTOPHER-JAMES MONTGOMERY; ANNA MARIA LUISA DE' MEDICI; SØREN KIERKEGAARD
WEBER GMBH & CO. KG; Müller & Söhne OHG; BÄCKEREI KLEIN E.K.; Fischer & Partner mbB; KLEIN UG (HAFTUNGSBESCHRÄNKT); DACHBAU AG
NOWAK SP. Z O.O.; Zieliński i Synowie Sp. j.; DVORAK S.R.O.; Kovács és Fia Kft.; IONESCU S.R.L.; BIANCHI S.P.A.; ROSSI & C. SNC
DUPONT S.A.R.L.; Boulangerie Martin SAS; GARCIA E HIJOS, S.L.; COSTA LDA.; JANSEN B.V.; De Vries N.V.; LINDQVIST AB; VIRTANEN OY
HANSEN APS; BAKER & WRIGHT LTD; Wright Holdings plc; SMITH BROS. INC.; ACORN LLC; TANAKA CO., LTD.; MORI K.K.; ТОВ "Сонях"
ФОП Ковальчук О. І.; ПП Бондар; ООО Ромашка; CAFE 1908 GMBH; 24/7 FITNESS LTD.; STUDIO 54 LLC; A1 TRANSPORT SP. Z O.O.; 3D DRUCK UG
FAHRSCHULE WEBER (INH. P. KLEIN); PARISH OF ST. MARY; ALPHA+OMEGA DESIGN; HOTEL "ZUM LÖWEN"; SCHOOL FEES - CLASS B; ST. JOHN'S COLLEGE
`
  .trim()
  .split(/[;\n]\s*/);

describe("holderAnomaly", () => {
  it("finds none in the names of a hundred people and firms", () => {
    expect(HOLDERS.length).toBeGreaterThanOrEqual(100);
    expect(HOLDERS.filter((name) => holderAnomaly(name) !== "")).toEqual([]);
  });
  it.each([
    "",
    "X",
    "AAAA AA",
    "test",
    "Card  Holder",
    "OLENA 1",
    "OLENA 4111",
    "JOHN SMITH 3RD 4111",
    "J0HN SM1TH",
    "411111 GMBH",
    "1ST",
    "a@b.c",
    "<script>",
    "{{name}}",
    "https://x.example",
    "john_smith",
    "NAME*",
    "&&",
    "()",
    "A".repeat(30) + "B".repeat(40),
  ])("%j is none", (name) => expect(holderAnomaly(name)).not.toBe(""));
});

describe("localRandomness", () => {
  it.each(["olena.kovalenko", "schwarzschild", "night.owl", "oleksandr1985", "k3j9x", "marie-christine.b"])(
    "%s could be a person's",
    (local) => expect(localRandomness(local)).toBeLessThanOrEqual(40),
  );
  it.each(["k3x9q2w7z", "xkcdqwrtzp", "a8f3c2e1b9d7"])("%s looks drawn by lot", (local) =>
    expect(localRandomness(local)).toBeGreaterThan(60),
  );
});

describe("phoneProblem", () => {
  it.each(["+380501234567", "+1 212 555 0123", "+393331234567", "+4930123456"])("%s could exist", (phone) =>
    expect(phoneProblem(phone)).toBe(""),
  );
  it.each([
    "380501234567",
    "+2101234567",
    "+1112223333",
    "+11234567890",
    "+380000000000",
    "+49301",
    "+1234567890123456",
  ])("%s could not", (phone) => expect(phoneProblem(phone)).not.toBe(""));

  it("knows which countries share a code", () => {
    expect(countriesOfPhone("77012345678")).toEqual(["RU", "KZ"]);
    expect(countriesOfPhone("87012345678")).toEqual([]);
    expect(countriesOfPhone("2101234567")).toBeNull();
  });
});

describe("addresses", () => {
  it("are read and judged as the range library does", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = readAddress(text)!;
        expect(address.toString()).toBe(ipaddr.process(text).toString());
        expect(isBogon(address, [])).toBe(ipaddr.process(text).range() !== "unicast");
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(["203.0.113.0/24", "10.0.0.1", "2001:db8::/32", "::/0"])("%s is a network", (text) =>
    expect(readNetwork(text)).not.toBeNull(),
  );
  it.each(["203.0.113.0/33", "203.0.113/24", "a/8", "1.2.3.4/8/8", "1.2.3.4/", "1.2.3.4/-1"])(
    "%s is none",
    (text) => expect(readNetwork(text)).toBeNull(),
  );
});
