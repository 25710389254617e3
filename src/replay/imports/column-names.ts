// Names that other programs give to the columns of payments, as letters and digits alone in lower case.

/** Month and year in one column. */
export const EXPIRY_COLUMN = "card.expiration";

/** A target, and names of columns that become it; the first that a file has counts. */
const NAMES: readonly (readonly [target: string, names: string])[] = [
  [
    "order_id",
    "orderid order ordernumber merchantreference transactionid paymentid chargeid transid transnum pspreference reference id",
  ],
  [
    "amount",
    "amount amt transactionamount transactionamt txamount amountauthorized mainamount total sum value price",
  ],
  ["currency", "currency ccy cur currencyisocode currencycode isocurrency"],
  [
    "at",
    "at createdateutc createddateutc createdutc created createdat createddatetime createddate creationdate transactiondate transdatetranstime txdatetime datetime timestamp date when paidat transactiondt step time unixtime",
  ],
  ["outcome", "outcome fraud isfraud txfraud fraudlabel class label disputereason chargebackreason disputed"],
  ["payer.payer_id", "payerid customerid customer userid buyerid shopperreference nameorig"],
  ["payer.email", "email mail customeremail shopperemail buyeremail emailaddress buyer"],
  ["payer.payer_ip", "payerip ip ipaddress shopperip customerip clientip"],
  ["payer.number_phone", "phone phonenumber customerphone telephone"],
  ["card.bin_card", "bin cardbin issuerbin issuerid iin firstsix firstsixofcreditcard"],
  ["card.cin_card", "last4 cardlast4 lastfour lastfourofcreditcard"],
  ["card.holder", "holder cardholder cardholdername cardname shoppername"],
  ["card.expiration_month", "cardexpmonth expmonth expirationmonth expirymonth"],
  ["card.expiration_year", "cardexpyear expyear expirationyear expiryyear"],
  [EXPIRY_COLUMN, "expirationdate expirydate expiry cardexpiry cardexpirydate exp"],
  ["terminal_id", "terminalid terminal merchant merchantname"],
  ["description", "description"],
];

export function bareName(column: string): string {
  return column.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** What a column of this name holds in most files; null for a name that says nothing. */
export function targetOfName(column: string): string | null {
  const name = bareName(column);
  return NAMES.find(([, names]) => names.split(" ").includes(name))?.[0] ?? null;
}

/** The columns of each target, the likeliest first. */
export function columnsByTarget(columns: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const named = Map.groupBy(columns, bareName);
  return new Map(
    NAMES.map(([target, names]) => [target, names.split(" ").flatMap((name) => named.get(name) ?? [])]),
  );
}
