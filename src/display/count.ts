// Numbers of things for people.

/** With a comma every three digits: `1,000,000`. @param count a whole number */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 project`, `1,000 projects`. @param noun one that takes an s */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}
