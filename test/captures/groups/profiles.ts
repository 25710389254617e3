// Pictures of the profiles: their list and form, and what a console on a live service looks like.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openService } from "../service.ts";
import { CLEAR, ENTER, ESC, TAB, type Lot } from "../studio.ts";

const OWNER = ["--merchant-id", "demo-shop", "--risk-level", "medium", "--key-id", "key-1"];
const SECRET = "feedfacecafebeef".repeat(3);
const PAYMENT = { operation: "payment", amount: 12_500, currency: 980 };
const BUYER = {
  ...PAYMENT,
  terminal_id: "web-1",
  payer: { payer_id: "c-77", payer_ip: "91.198.36.14" },
  card: { holder: "OLENA KOVALENKO", bin_card: 444433, cin_card: 1111 },
};
const pasted = (payment: object): string => `\u001B[200~${JSON.stringify(payment)}\u001B[201~`;
const ANSWERS = [
  { status: "success", code: "pass", message: "Continue transaction processing" },
  { status: "success", code: "pass", message: "Continue transaction processing" },
  { status: "success", code: "block", message: "Stop processing: three cards of one payer in an hour" },
];

/** Profiles of every environment; one is edited here and elsewhere, one is live. */
export async function captureProfiles(lot: Lot): Promise<void> {
  const home = lot.homeOf("profiles");
  const answers = [...ANSWERS];
  const service = await openService(() => answers.shift() ?? ANSWERS.at(-1));
  await home.verdict(["profile", "add", "shop-test", "--base-url", "https://risk.test.example"]);
  await home.verdict(["profile", "add", "shop-live", "--base-url", service.url, "--environment", "LIVE"]);
  await home.verdict(
    ["--profile", "shop-live", "vault", "add", ...OWNER, "--project-id", "p-1", "--secret-stdin"],
    SECRET,
  );
  for (const order_id of ["o-1039", "o-1040"]) {
    await home.verdict(["--profile", "shop-live", "check", "-"], JSON.stringify({ ...BUYER, order_id }));
  }
  const file = join(lot.folder, "payments.ndjson");
  const payments = Array.from({ length: 40 }, (_, at) => ({ ...PAYMENT, order_id: `r-${at}` }));
  writeFileSync(file, payments.map((each) => JSON.stringify(each)).join("\n"));

  const studio = lot.open(home, "profiles");
  await studio.until("in the vault");
  await studio.press("8");
  await studio.until(/› sandbox .*here|sandbox .*here/);
  await studio.press("G");
  await studio.capture("list");
  await studio.press("a", "shop-next", TAB, "l", TAB, TAB, "http//risk");
  await studio.capture("form");
  await studio.press(ESC, "d");
  await studio.press("y");

  // Typed here while another session changes the same profile.
  await studio.until("Profiles");
  await studio.press("G", "e", ...Array.from({ length: 8 }, () => TAB), CLEAR, "90", ESC);
  await home.verdict(["profile", "add", "shop-test", "--base-url", "https://risk.test.example/v2"]);
  await studio.press("1", "8");
  await studio.until("Another session changed this profile");
  await studio.capture("stale-form");
  await studio.press("d", "y");

  await studio.press("g", "j", ENTER);
  await studio.until("The profile shop-live is in use.");
  await studio.press("1");
  await studio.until("Send check to LIVE");
  await studio.press(ESC, pasted({ ...BUYER, order_id: "o-1041" }));
  await studio.until("12500");
  await studio.press("\u0012");
  await studio.until(/LIVE Verdict[\s\S]*BLOCK/);
  await studio.press(ESC);
  await studio.capture("live-check");
  // What is missing is asked about before it is sent.
  const { currency: _, ...without } = BUYER;
  await studio.press(ESC, pasted({ ...without, order_id: "o-1042" }), "\u0012");
  await studio.until("the service may");
  await studio.capture("live-question");
  await studio.press("n");
  await studio.press("5", "n");
  await studio.until("› Start the replay");
  await studio.press(TAB, CLEAR, file, ESC);
  await studio.until("40 checks");
  await studio.press(ENTER);
  await studio.until("Type shop-live to continue:");
  await studio.press("shop");
  await studio.capture("live-replay");
  await studio.press(ESC, "8");
  await studio.until("shop-live");
  await studio.press("r");
  // The form of the replay is still open.
  await studio.press("y");
  await studio.until("Read-only: nothing is sent");
  await studio.capture("read-only");
  await studio.press("1");
  await studio.press(ESC);
  await studio.capture("read-only-check");
  await studio.leave();
  service.close();
}
