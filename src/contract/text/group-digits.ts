// Groups the digits of long numbers.

/** A number with a space every three digits of its whole part: `1 234.50`, `-490 000`. @param text as `String` and `toFixed` write it */
export function groupDigits(text: string): string {
  if (text.length <= 3) return text;
  const [whole = "", ...fraction] = text.split(".");
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, " "), ...fraction].join(".");
}
