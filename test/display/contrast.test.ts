// The selected row can be read on the palettes that are in use.

import { describe, expect, it } from "vitest";
import { barStyle, contrast, liveStyle, type Rgb } from "#src/display/contrast.ts";

const NAMES = ["black", "cyan", "white", "gray", "whiteBright", "foreground", "ground"] as const;

/** As the terminals and editors ship them. */
const PALETTES = [
  ["xterm", "000000 00cdcd e5e5e5 7f7f7f ffffff e5e5e5 000000", "black"],
  ["Terminal.app", "000000 00a6b2 bfbfbf 666666 e5e5e5 000000 ffffff", "black"],
  ["Solarized Light", "073642 2aa198 eee8d5 002b36 fdf6e3 657b83 fdf6e3", "gray"],
  ["Solarized Dark", "073642 2aa198 eee8d5 002b36 fdf6e3 839496 002b36", "gray"],
  ["GitHub Light", "24292f 1b7c83 6e7781 57606a 8c959f 1f2328 ffffff", undefined],
  ["One Light", "383a42 0184bc a0a1a7 4f525d ffffff 383a42 fafafa", undefined],
  ["One Half Light", "383a42 0997b3 fafafa 4f525d ffffff 383a42 fafafa", undefined],
  ["a dark cyan", "000000 005f5f c0c0c0 808080 ffffff c0c0c0 000000", "whiteBright"],
] as const;

const rgb = (hex: string): Rgb => Array.from(Buffer.from(hex, "hex"), (byte) => byte / 255);

describe("the selected row", () => {
  it.each(PALETTES)("has a contrast of 4.5 in the colours of %s", (_, hexes, ink) => {
    const told = Object.fromEntries(hexes.split(" ").map((hex, at) => [NAMES[at]!, rgb(hex)])) as Record<
      (typeof NAMES)[number],
      Rgb
    >;
    const { color, background, inverse = false } = barStyle(told);
    expect(color).toBe(ink);
    expect(background).toBe(inverse ? undefined : "cyan");
    const [over, under] = inverse ? [told.ground, told.foreground] : [told[ink!], told.cyan];
    expect(contrast(over, under)).toBeGreaterThanOrEqual(4.5);
  });
});

describe("LIVE", () => {
  it.each([
    ["xterm", "cd0000 ffffff", "whiteBright"],
    ["Solarized", "dc322f fdf6e3", "whiteBright"],
    ["One Light", "e45649 ffffff", "whiteBright"],
    ["GitHub Light", "cf222e 8c959f", "red"],
    ["VS Code Light", "cd3131 a5a5a5", "red"],
  ])(
    "is bright white on red in the colours of %s, or the ground where that cannot be read",
    (_, hexes, color) => {
      const [red, whiteBright] = hexes.split(" ").map(rgb) as [Rgb, Rgb];
      const style = liveStyle({ red, whiteBright });
      expect(style).toMatchObject({ color, bold: true });
      expect(style.inverse === true).toBe(color === "red");
    },
  );
});
