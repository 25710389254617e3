// Colours of the user's own: what is accepted can be read, and two verdicts never share a hue.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OWN_COLORS } from "#src/app/own-colors.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { YamlFault, YamlSource } from "#src/contract/text/yaml-source.ts";
import { contrast, xtermColor } from "#src/display/contrast.ts";
import { NAMED_COLORS, ROLE_STYLE, type OwnColors, type Role } from "#src/display/style.ts";

function read(text: string): OwnColors {
  return readShape(OWN_COLORS, new YamlSource(text, "settings.yaml").place(), "colors");
}

describe("colours of one's own", () => {
  it("are an ink, or an ink on a ground", () => {
    expect(read("pass: bright-green\nbar: black on bright-white\ntest: black on yellow\n")).toEqual({
      pass: { color: "greenBright", bold: true },
      bar: { color: "black", background: "whiteBright", inverse: false },
      test: { bold: true, color: "black", background: "yellow", inverse: false },
    });
  });

  it.each([
    ["pas: green", /^settings\.yaml:1:1: unknown key "pas" in colors; allowed are pass, block, /],
    ["live: green", /unknown key "live"/],
    [
      "accent: cyan\npass: grean",
      /^settings\.yaml:2:7: pass must be one of black, red, .*, also as bright-red/,
    ],
    ["pass: '#00ff00'", /pass must be one of/],
    ["pass: green on red on blue", /pass must be one of/],
    [
      "accent: blue",
      /^settings\.yaml:1:9: accent cannot be read: its contrast is 2\.2, and the minimum is 3/,
    ],
    ["bar: cyan", /bar cannot be read: its contrast is 1\.0,/],
    ["heading: red on red", /heading cannot be read/],
    ["pass: red", /pass and block cannot be told apart: both are red/],
    ["challenge: black on bright-green", /pass and challenge cannot be told apart: both are green/],
    ["pass: red\nblock: green\nfault: yellow", /challenge and fault cannot be told apart/],
  ])("are refused in one sentence with their place: %j", (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
    expect(() => read(text)).toThrow(YamlFault);
  });

  it("can be read and told apart wherever they are accepted", () => {
    const name = fc
      .constantFrom(...NAMED_COLORS)
      .map((color) => (color === "gray" ? "bright-black" : color.replace(/^(.*)Bright$/, "bright-$1")));
    const role = fc.constantFrom(...Object.keys(ROLE_STYLE).filter((each) => each !== "live"));
    const value = fc.oneof(
      name,
      fc.tuple(name, name).map((pair) => pair.join(" on ")),
    );
    let accepted = 0;
    fc.assert(
      fc.property(fc.dictionary(role, value, { minKeys: 1, maxKeys: 4 }), (given) => {
        let own: OwnColors;
        try {
          own = read(JSON.stringify(given));
        } catch (error) {
          return error instanceof YamlFault;
        }
        accepted += 1;
        const look = (each: Role) => ({ ...ROLE_STYLE[each], ...own[each] });
        for (const each of Object.keys(own) as Role[]) {
          const { color, background = "black" } = look(each);
          expect(contrast(xtermColor(color!), xtermColor(background))).toBeGreaterThanOrEqual(3);
        }
        const hues = (["pass", "block", "challenge", "doubt"] as const).map((each) => {
          const { color, background } = look(each);
          return (background ?? color)!.replace("Bright", "");
        });
        return new Set(hues).size === hues.length;
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(20);
  });
});
