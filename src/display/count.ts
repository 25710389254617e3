// Counts and shares as text.

import { groupDigits } from "#src/contract/text/group-digits.ts";

/** Digits grouped in threes by spaces, as in amounts: `1 000 000`. */
export function formatCount(count: number): string {
  return groupDigits(String(count));
}

/** A place in a list: `3 of 12 000`. */
export function placeText(place: number, of: number): string {
  return `${formatCount(place)} of ${formatCount(of)}`;
}

/** The first of several sentences, with the number of the others: `amount is missing (and 1 more).` */
export function withOthers(sentence: string, others: number): string {
  if (others === 0) return sentence;
  const end = sentence.endsWith(".") ? "." : "";
  return `${sentence.slice(0, sentence.length - end.length)} (and ${others} more)${end}`;
}

/** `1 project`, `1 000 projects`. @param many the plural */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** What could not be read of sources: lines, whole files, or items of both kinds. */
export function rejectedNoun(kept: readonly { readonly origin: string }[]): "line" | "file" | "item" {
  const lines = kept.filter(({ origin }) => /:\d+$/.test(origin)).length;
  return lines === kept.length ? "line" : lines === 0 ? "file" : "item";
}

/** A share in percent; only zero reads 0 %, and only the whole reads 100 %. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0 %";
  if (part === whole) return "100 %";
  const share = (part / whole) * 100;
  if (share < 0.01) return "less than 0.01 %";
  if (share > 99.99) return "more than 99.99 %";
  return `${share < 10 || share > 99 ? share.toFixed(2) : share.toFixed(1)} %`;
}
