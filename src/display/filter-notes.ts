// The language of the filters of checks in a few lines, for both front ends.

/** The filter language. */
export const FILTER_NOTES =
  "Filter: terms separated by blanks must all hold; - in front negates one.\n" +
  "  verdict:block        pass, block, 3ds or 3ds_or_block, indeterminate,\n" +
  "                       refused, unknown, not_sent\n" +
  "  outcome:answered     answered, indeterminate, refused, unknown, not_sent\n" +
  "  label:fraud          fraud, chargeback, refund, good, none\n" +
  "  final:3ds            continue, block, 3ds, open, none\n" +
  "  amount>100000        also = < >= <=; the number that was sent\n" +
  "  latency>200          milliseconds, or 2s\n" +
  "  currency:UAH         letters or number\n" +
  "  since:2d before:12h  an age, 2026-01-31 or 2026-01-31T09:30\n" +
  "  email: ip: payer: bin: order: operation: project: profile:\n" +
  "                       the whole text in any case, * for anything;\n" +
  "                       = compares exactly\n" +
  "  id:a,b               entries by their whole ids\n" +
  '  "free text"          anywhere in ids, texts, payer, note and message;\n' +
  '                       text:"..." is the same\n' +
  "  was:pass now:block expected:pass rule:AMOUNT* from:*.csv\n" +
  "                       only in the findings of a run, which know no label,\n" +
  "                       final, outcome, project, profile, id, text and age";
