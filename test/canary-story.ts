// The beginning of a deck with a canary in every field of a person or card, in its note and in all that is said.

/** Up to the payment of its first step. */
export const CANARY_STORY = `title: The story of CANARY KANARIENVOGEL
summary: Mail from canary.bird@cage.example, call +380997654321.
start: "2026-01-15T10:00:00Z"
seed: 1
project: { merchant: shop, currency: UAH, risk_level: medium }
steps:
  - say: CANARY KANARIENVOGEL (payer-canary-17) pays from 203.0.113.77
    note: The card ends in 9173 and is valid until 11/2031, for the canary
    payload:
      operation: payment
      order_id: o-41
      amount: 18750
      currency: 980
      description: for the canary
      payer:
        { payer_ip: 203.0.113.77, email: canary.bird@cage.example, number_phone: "+380997654321", payer_id: payer-canary-17 }
      card: { holder: CANARY KANARIENVOGEL, bin_card: 444411, cin_card: 9173, expiration_month: 11, expiration_year: 31 }
`;
