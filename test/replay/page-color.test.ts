import { describe, expect, test } from "vitest";
import { PAGE_DARK, PAGE_LIGHT, type PageColors } from "#src/replay/reports/page-color.ts";

/** Relative luminance, WCAG 2.2. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

describe.each<[string, PageColors]>([
  ["light", PAGE_LIGHT],
  ["dark", PAGE_DARK],
])("%s", (_, colors) => {
  const { ground, surface, raised, text, muted, roles, tints } = colors;

  test("every text reaches 4.5:1 on every ground that it stands on", () => {
    for (const under of [ground, surface, raised]) {
      for (const over of [text, muted, ...Object.values(roles)]) {
        expect(contrast(over, under), `${over} on ${under}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    for (const [role, tint] of Object.entries(tints)) {
      const own = roles[role as keyof typeof roles];
      for (const over of [text, own]) {
        expect(contrast(over, tint), `${over} on ${tint}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test("symbols reach 4.5:1 on the bars they stand on", () => {
    for (const bar of Object.values(roles)) {
      expect(contrast(surface, bar), `${surface} on ${bar}`).toBeGreaterThanOrEqual(4.5);
    }
  });
});
