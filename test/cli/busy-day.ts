// A day of payments that counters have much to do with: regular buyers, several currencies, card-testing bursts, repeats.

/** Numbers in [0, 1) that are the same for the same seed (Mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const START = Date.UTC(2026, 2, 16);
const DAY_MS = 86_400_000;
const CURRENCIES = [980, 978, 392, 414];
/** Payments of a burst share an address and a BIN, and come within seconds. */
const BURST = 12;

/** NDJSON in the order of time. */
export function busyDay(seed: number, count: number): string {
  const random = numbers(seed);
  const among = (most: number): number => Math.floor(random() * most);
  const buyers = Math.max(20, Math.floor(count / 5));
  const lines: string[] = [];
  let at = START;
  let left = 0;
  let tester = 0;
  for (let index = 0; index < count; index += 1) {
    at += left > 0 ? among(4_000) : among((2 * DAY_MS) / count);
    if (left > 0) left -= 1;
    else if (random() < 0.01) [left, tester] = [BURST, among(250)];
    const buyer = among(buyers);
    const isTest = left > 0;
    const request = {
      operation: "payment",
      order_id: `tx-${seed}-${index}`,
      amount: 500 + among(900_000),
      currency: CURRENCIES[Math.min(CURRENCIES.length - 1, among(8))],
      description: "Order",
      terminal_id: `t-${buyer % 12}`,
      payer: {
        payer_ip: isTest ? `203.0.113.${tester}` : `91.${buyer % 200}.${(buyer >> 3) % 250}.${buyer % 250}`,
        email: `p${isTest ? `${tester}-${index}` : buyer}@shop-customer.example`,
        payer_id: `p-${isTest ? tester : buyer}`,
      },
      card: {
        holder: `OLENA ${String.fromCharCode(65 + (buyer % 26), 65 + ((buyer >> 5) % 26))}`,
        bin_card: isTest ? 400_000 + tester : 444_000 + (buyer % 600),
        cin_card: isTest ? among(10_000) : (buyer * 37) % 10_000,
        expiration_month: 1 + (buyer % 12),
        expiration_year: 28,
      },
    };
    lines.push(JSON.stringify({ at: new Date(at).toISOString(), request }));
    // The same payment again within a minute is a repeat, which is not decided twice.
    if (random() < 0.002) lines.push(JSON.stringify({ at: new Date(at + 5_000).toISOString(), request }));
  }
  return `${lines.join("\n")}\n`;
}
