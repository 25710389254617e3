// A guessed map: of the shapes of public data and of exports, whose rows here are made up.

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ActionContext } from "#src/actions/action-context.ts";
import { guessImport } from "#src/actions/replay/import-payloads.ts";
import { guessMap, type GuessedMap } from "#src/replay/imports/guess-map.ts";
import { each, folderOf } from "../reading.ts";
import { importText } from "./importing.ts";

async function guessed(text: string, name: string = "t.csv"): Promise<GuessedMap> {
  const context = { profile: { amountUnit: "minor" } } as unknown as ActionContext;
  const input = { files: [join(folderOf({ [name]: text }), name)], stdin: each([]) };
  return await guessImport(context, input, new AbortController().signal);
}

const table = (...lines: readonly string[]): string => lines.join("\n");

const SHAPES = {
  PaySim: {
    text: table(
      "step,type,amount,nameOrig,oldbalanceOrg,nameDest,isFraud",
      "1,PAYMENT,812.44,C100200301,90000.00,M700800901,0",
      "7,CASH_OUT,145.0,C100200303,145.0,C700800903,0",
    ),
    map: [
      "amount=amount:major",
      "step=at:hours since 2026-01-01",
      "isFraud=outcome:0=good,1=fraud",
      "nameOrig=payer.payer_id",
    ],
  },
  "ULB credit card": {
    text: table('"Time","V1","V2","Amount","Class"', '0,-1.1,0.2,17.62,"0"', '100,0.1,0.5,1e+05,"1"'),
    map: ["Amount=amount:major rounded", "Time=at:seconds since 2026-01-01", "Class=outcome:0=good,1=fraud"],
  },
  "IEEE-CIS": {
    text: table(
      "TransactionID,isFraud,TransactionDT,TransactionAmt,ProductCD,card1,P_emaildomain",
      "3100001,0,86400,37.098,C,9500,example.com",
      "3100002,1,86469,59.0,W,4663,",
    ),
    map: [
      "TransactionID=order_id",
      "TransactionAmt=amount:major rounded",
      "TransactionDT=at:seconds since 2026-01-01",
      "isFraud=outcome:0=good,1=fraud",
    ],
  },
  BankSim: {
    text: table(
      "step,customer,age,zipcodeOri,merchant,category,amount,fraud",
      "0,'C900100200','3','28007','M500600700','es_food',14.35,0",
      "2,'C900100201','2','28007','M500600700','es_travel',240.1,1",
    ),
    map: [
      "amount=amount:major",
      "step=at:days since 2026-01-01",
      "fraud=outcome:0=good,1=fraud",
      "customer=payer.payer_id:unquoted",
      "merchant=terminal_id:unquoted",
    ],
  },
  Sparkov: {
    text: table(
      ",trans_date_trans_time,cc_num,merchant,amt,first,last,trans_num,unix_time,is_fraud",
      "0,2019-02-03 00:10:07,4111111111111111,Sample LLC,14.97,Ann,Example,0a1b,1328227807,0",
      "1,2019-02-03 00:11:44,5555555555554444,Sample LLC,107.23,Bob,Sample,1a1b,1328227904,1",
    ),
    map: [
      "trans_num=order_id",
      "amt=amount:major",
      "trans_date_trans_time=at",
      "is_fraud=outcome:0=good,1=fraud",
      "merchant=terminal_id",
    ],
  },
  Stripe: {
    text: table(
      "id,Created date (UTC),Amount,Amount Refunded,Currency,Status,Customer Email,Card Last4,Card Exp Month,Dispute Reason",
      'py_1,2026-02-03 10:20,"1,250.00",0.00,eur,Paid,ann@example.com,0042,6,',
      "py_2,2026-02-03 10:21,8.00,0.00,eur,Failed,bob@example.com,4444,7,",
      "py_3,2026-02-03 10:22,9.00,0.00,eur,Paid,eve@example.com,1881,8,fraudulent",
    ),
    map: [
      "id=order_id",
      "Amount=amount:major",
      "Currency=currency",
      "Created date (UTC)=at",
      "Dispute Reason=outcome:fraudulent=fraud,*=chargeback,empty=good",
      "Customer Email=payer.email",
      "Card Last4=card.cin_card",
      "Card Exp Month=card.expiration_month",
    ],
  },
  Braintree: {
    text: table(
      "Transaction ID,Transaction Status,Created Datetime,Created Timezone,Amount Authorized,Currency ISO Code,Order ID,Expiration Date,First Six of Credit Card",
      "a1b2c3,settled,02/03/2026 10:20:30,CST,12.50,EUR,o-1,06/2027,411111",
      "a1b2c4,processor_declined,07/30/2026 10:21:30,CDT,8.00,EUR,o-2,07/2028,555555",
    ),
    map: [
      "Order ID=order_id",
      "Amount Authorized=amount:major",
      "Currency ISO Code=currency",
      "Created Datetime=at:MM/DD/YYYY zone Created Timezone",
      "First Six of Credit Card=card.bin_card",
      "Expiration Date=card.expiration_month:expiry",
      "Expiration Date=card.expiration_year:expiry",
    ],
  },
  Adyen: {
    text: table(
      "Psp Reference,Merchant Reference,Creation Date,TimeZone,Currency,Amount,Shopper IP,Issuer Id,Expiry Date",
      "8800000000000001,order-1,2026-02-03 10:20:30,CET,EUR,12.50,203.0.113.7,411111,6/2027",
      "8800000000000002,order-2,2026-07-03 10:20:30,PDT,USD,8.00,203.0.113.8,555555,11/2028",
    ),
    map: [
      "Merchant Reference=order_id",
      "Amount=amount:major",
      "Currency=currency",
      "Creation Date=at:zone TimeZone",
      "Shopper IP=payer.payer_ip",
      "Issuer Id=card.bin_card",
      "Expiry Date=card.expiration_month:expiry",
      "Expiry Date=card.expiration_year:expiry",
    ],
  },
};

test.each(Object.entries(SHAPES))("a map of the shape of %s takes its rows", async (shape, { text, map }) => {
  const { words } = await guessed(text);
  expect(words.map).toEqual(map);
  const set = [...words.set, ...(text.toLowerCase().includes(",currency") ? [] : ["currency=EUR"])];
  const { payloads, untaken } = await importText("t.csv", text, { ...words, set });
  expect(untaken).toEqual([]);
  // Of these one payment did not go through.
  expect(payloads).toHaveLength(shape === "Braintree" ? 1 : 2);
  for (const payload of payloads) {
    expect(payload).toMatchObject({ at: expect.any(String), request: { amount: expect.any(Number) } });
  }
});

describe("a guess", () => {
  test("says what a person should look at", async () => {
    const start = '"step" is taken for a count of hours, and its start 2026-01-01 is made up.';
    expect((await guessed(SHAPES.PaySim.text)).notes).toEqual([
      start,
      'No column holds a currency; add yours to "set", such as "currency=EUR".',
      "No column holds order ids, by which labels and reports find payments.",
    ]);
    const { words, notes } = await guessed(SHAPES.Stripe.text);
    expect(notes).toEqual(['Rows whose "Status" is not Paid are left out.']);
    expect(words.only).toEqual(["Status=Paid"]);
    expect((await guessed(SHAPES.Sparkov.text)).words.reducePan).toEqual(["cc_num"]);
  });

  test("names the fraud that the first rows do not have", async () => {
    expect((await guessed("id,isFraud\no,0\np,0\n")).words.map).toContain("isFraud=outcome:0=good,1=fraud");
  });

  test("says where the values leave a choice", async () => {
    const { words, notes } = await guessed("order,date,total,currency\no,01.02.2026,57,EUR\n");
    expect(words.map).toEqual(["order=order_id", "total=amount:major", "date=at:DD.MM.YYYY"]);
    expect(notes).toEqual([
      '"total" has whole numbers alone, taken for whole units; amount:minor takes them for cents.',
    ]);
    const both = await guessed("order,date,total,currency\no,01/02/2026,5.70,EUR\n");
    expect(both.notes).toEqual(['"date" has dates that DD/MM/YYYY reads as well.']);
  });

  test("knows a decimal comma, cents by their name, and names of fields", async () => {
    const { words } = await guessed('order_id;Summe;sum;currency;card.bin_card\no;x;"1.250,00";EUR;411111\n');
    expect(words).toMatchObject({ map: ["sum=amount:major-comma"], ignore: ["Summe"] });
    expect((await guessed("id,amount_minor,amount\no,,5716\n")).words.map).toContain("amount=amount:major");
  });

  test("leaves words that say nothing of fraud without a label, and a column of them ignored", async () => {
    const some = await guessed("id,label\no,stolen\np,pending\nq,genuine\n");
    expect(some.words.map).toEqual(["id=order_id", "label=outcome:stolen=fraud,genuine=good,*="]);
    const none = await guessed("id,class\no,gold\np,silver\n");
    expect(none.words).toMatchObject({ map: ["id=order_id"], ignore: ["class"] });
    const own = await guessed("id,outcome\no,fraud\np,good\n");
    expect(own.words.map).toEqual(["id=order_id"]);
  });

  test("takes what a value denies for good", async () => {
    const values = ["Fraud", "Non-Fraud", "not disputed", "NOT_REFUNDED", "no chargeback", "undisputed"];
    const { words } = await guessed(`id,class\n${values.map((value, i) => `o${i},${value}`).join("\n")}\n`);
    const good = values.slice(1).map((value) => `${value}=good`);
    expect(words.map).toContain(`class=outcome:Fraud=fraud,${good.join(",")}`);
  });

  test("takes the mark that most amounts have, and says that some are none", async () => {
    const { words, notes } = await guessed('id;sum;currency\no;"57,16";EUR\np;-5;EUR\nq;"1.250,00";EUR\n');
    expect(words.map).toContain("sum=amount:major-comma");
    expect(notes).toContain('"sum" has values that are no such amount; their rows are not taken.');
  });

  test("says why no row can be read", async () => {
    await expect(guessed("\uFEFFid,sum\no\n")).rejects.toThrow("The row has 1 cell where the header has 2");
  });

  test("reads lines of JSON, and no requests", async () => {
    const { words } = await guessed(
      '{"id":"o","sum":"5.70","ccy":"EUR"}\n{"id":"p","note":"x"}\n',
      "t.ndjson",
    );
    expect(words).toMatchObject({
      map: ["id=order_id", "sum=amount:major", "ccy=currency"],
      ignore: ["note"],
    });
    await expect(guessed('{"log":{"version":"1.2","entries":[]}}', "t.har")).rejects.toThrow(/rows|requests/);
    await expect(guessed("id,amount\n")).rejects.toThrow("holds no payload");
  });

  test("neither shows nor maps what must never be read", async () => {
    await expect(guessed("id,cvv\no,123\n")).rejects.toThrow("card verification");
    await expect(guessed("id,4111111111111111\no,1\n")).rejects.toThrow("take it out of the file");
    const inValues = await guessed("id,class\no,fraud 4111111111111111\np,fraud\n");
    expect(JSON.stringify(inValues)).not.toContain("4111");
    const { words } = await guessed("id,pan\no,4111111111111111\n");
    expect(words.reducePan).toEqual(["pan"]);
  });

  test("of no rows maps nothing by its values", () => {
    const { words } = guessMap(["step", "amount"], [], { numbering: undefined, unit: "minor" });
    expect(words.map).toEqual([]);
  });
});
