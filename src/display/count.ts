// Numbers of things for people.

import { groupDigits } from "#src/contract/text/group-digits.ts";

/** With a blank every three digits, as money has it: `1 000 000`. */
export function formatCount(count: number): string {
  return groupDigits(String(count));
}

/** The first of several sentences, with how many there are besides: `amount is missing (and 1 more).` */
export function withOthers(sentence: string, others: number): string {
  if (others === 0) return sentence;
  const end = sentence.endsWith(".") ? "." : "";
  return `${sentence.slice(0, sentence.length - end.length)} (and ${others} more)${end}`;
}

/** `1 project`, `1 000 projects`. @param many what more than one of it are called */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
