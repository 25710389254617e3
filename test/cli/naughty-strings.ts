// The corpus of what nobody should be trusted with: published naughty strings, and control, bidi and invisible characters.

import naughty from "big-list-of-naughty-strings";

/** Besides the corpus: what it has none of. */
export const MORE: readonly string[] = [
  "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07",
  "\x1b[8mhidden\x1b[0m",
  "\x1b[32m✔ PASS\x1b[39m",
  "\x1b[2J\x1b[H",
  "\x9b31m",
  "\x90q\x9c",
  "a\rPASS",
  "a\nPASS",
  "a\tb",
  "\ud800",
  "\udc00x",
  "\u202eSSAP\u202c",
  "\u2066a\u2069",
  "pa\u200bss",
  "\ufeff",
  "\u{e0050}\u{e0041}",
  "\u00ad",
  "\u2028",
  "\u2029",
  "\x7f\x80\x85",
  "\ufff9a\ufffb",
  "__proto__",
];
export const STRINGS: readonly string[] = [...naughty, ...MORE];

/** Everything but visible characters and line feeds. */
export const HIDDEN: RegExp =
  /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
