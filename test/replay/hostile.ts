// Rows whose every untrusted text is hostile.

import type { RunRow } from "#src/contract/records/run.ts";
import { runResult, runRow, type Verdict } from "./rows.ts";

/** What breaks out of HTML, XML, JSON in a script, attributes, comments, terminals, and well-formedness itself. */
export const HOSTILE: readonly string[] = [
  `</script><script>alert(1)</script>`,
  `<img src=x onerror="alert(1)">`,
  `"><svg/onload=alert(1)>`,
  `' onmouseover='alert(1)`,
  "<!--<script>",
  "--><b>",
  "]]>&lt;&amp;&#0;",
  "\u2028alert(1)\u2029",
  "\u0000\u0001\u0008\u000b\u001b[31mred\u007f\u0085\u009b",
  "lone \ud800 and \udfff",
  "\ufffe\uffff",
  "\u202egnp.exe\u2066",
  "pa\u200bss",
  "javascript:alert(1)",
  "{{7*7}}${7*7}`",
  "a\r\nb\tc",
  "=HYPERLINK(1)",
];

export function hostileRow(
  seq: number,
  text: string,
  verdict: Verdict = "pass",
  changes: Partial<RunRow> = {},
): RunRow {
  return runRow(seq, verdict, {
    key: `${text} ${seq}`,
    origin: text,
    tags: [text],
    request: {
      operation: text,
      order_id: text,
      amount: 5,
      currency: 980,
      description: text,
      terminal_id: text,
      payer: { payer_ip: text, email: text, number_phone: text, payer_id: text },
      card: { holder: text },
    },
    result: verdict === null ? null : runResult(verdict, { message: text, reason: text, explanation: text }),
    ...changes,
  });
}
