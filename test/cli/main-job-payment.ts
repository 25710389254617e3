// What the main job registers and checks.

export const REGISTER: string =
  "register --merchant-id demo-shop --name Demo --currency UAH --risk-level medium";

/** A payment that the starter rules let pass the first time. */
export const FULL = {
  operation: "payment",
  order_id: "o-full",
  amount: 12_000,
  currency: 980,
  description: "Two books",
  terminal_id: "web-1",
  payer: {
    payer_ip: "91.198.36.14",
    email: "olena@shop-customer.example",
    number_phone: "+380501234567",
    payer_id: "c-1",
  },
  card: {
    holder: "OLENA KOVALENKO",
    bin_card: 444433,
    cin_card: 1234,
    expiration_month: 9,
    expiration_year: 40,
  },
};
