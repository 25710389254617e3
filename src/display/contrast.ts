// Contrast of two colours as WCAG 2.2 defines it, and the colours that xterm has for the sixteen names.

import { NAMED_COLORS, ROLE_STYLE, type NamedColor, type RoleStyle } from "./style.ts";

/** Red, green and blue, 0 to 1 each. */
export type Rgb = readonly number[];

/** Text below this contrast cannot be read. */
export const LEAST_CONTRAST = 3;

/** Text of the selected row is read most of all: WCAG's level AA. */
const LEAST_IN_BAR = 4.5;

/** Inks of the selected row, the first one that can be read. */
const BAR_INKS = ["black", "whiteBright", "gray", "white"] as const;

/** The selected row on a terminal with these colours: on cyan where one of the inks can be read on it, else inverse. */
export function barStyle(told: Readonly<Record<(typeof BAR_INKS)[number] | "cyan", Rgb>>): RoleStyle {
  const ink = BAR_INKS.find((name) => contrast(told[name], told.cyan) >= LEAST_IN_BAR);
  return ink === undefined ? { inverse: true } : { ...ROLE_STYLE.bar, color: ink };
}

/** LIVE on a terminal with these colours: bright white on red where it can be read, else the ground on red. */
export function liveStyle({ red, whiteBright }: Readonly<Record<"red" | "whiteBright", Rgb>>): RoleStyle {
  const isRead = contrast(whiteBright, red) >= LEAST_CONTRAST;
  return isRead ? ROLE_STYLE.live : { color: "red", bold: true, inverse: true };
}

const XTERM =
  "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff";

export function xtermColor(name: NamedColor): Rgb {
  const bytes = Buffer.from(XTERM.split(" ")[NAMED_COLORS.indexOf(name)]!, "hex");
  return Array.from(bytes, (byte) => byte / 255);
}

/** 1 for equal colours, 21 for black and white. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [brightness(one), brightness(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function brightness(color: Rgb): number {
  const [red, green, blue] = color.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
