// Sentences that name a key name the one in force.

import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { keyNames } from "#src/keys/binding.ts";
import { overrideBindings } from "#src/keys/override.ts";
import { noProject } from "#src/state/check/checks-state.ts";
import { vaultLocked } from "#src/state/vault/vault-lock.ts";
import { keyName } from "./standard.ts";

/** Every binding that a sentence names. */
const named = globSync("{src,screens}/**/*.{ts,tsx}").flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/\bkeyName\("([^"]+)"\)/g)].map(([, id]) => [file, id!] as const),
);

/** Texts in quotes in a source, without its comments; what is filled in is `§`. */
function textsOf(file: string): readonly string[] {
  const code = readFileSync(file, "utf8")
    .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "")
    .replaceAll(/\$\{[^{}`]*\}/g, "§");
  return [...code.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([text]) => text);
}

/** A key written out in a sentence: a name, a letter with a verb behind it, or what is to be pressed. */
const WRITTEN_KEY =
  /(?:^|[\s"`(,;:>])(?:(?:Enter|Esc|Tab|Shift-Tab|Space|Backspace|Del|PgUp|PgDn|F\d\d?|Ctrl-[A-Z_])(?=[\s,.;:)]|$)|[B-HJ-Zb-z](?= [a-z]+s\b| on\b| there\b)|(?:press|key|keys) [A-Za-z0-9?:/](?=[\s,.;)]|$)|":[a-z])/;

describe("the keys in sentences", () => {
  it("are never written out where the user may have another one", () => {
    expect("Nothing to see; press Enter again.").toMatch(WRITTEN_KEY);
    expect("On Profiles, c remembers that.").toMatch(WRITTEN_KEY);
    expect('§; ":faults clear" ends it.').toMatch(WRITTEN_KEY);
    expect("§ shows it, and a check is A or B.").not.toMatch(WRITTEN_KEY);
    const written = globSync("{src/{actions,display,keys,state,ui},screens}/**/*.{ts,tsx}").flatMap((file) =>
      textsOf(file)
        // The keys that edit a line are nobody's own.
        .map((text) => text.replaceAll("Ctrl-U", "§"))
        .filter((text) => / [a-z]/.test(text) && WRITTEN_KEY.test(text))
        .map((text) => `${file}: ${text}`),
    );
    expect(written).toEqual([]);
  });

  it("are keys of the table", () => {
    const ids = new Set(BINDINGS.map(({ id }) => id));
    expect(named.length).toBeGreaterThan(40);
    for (const [file, id] of named) expect(ids, `${id} in ${file}`).toContain(id);
  });

  it("are the user's own where there are some", () => {
    expect(vaultLocked(keyName)).toBe("The vault is locked; press u to unlock it.");
    const own = overrideBindings(BINDINGS, [
      { id: "lock.unlock", keys: ["ctrl+u"] },
      { id: "shell.register", keys: ["f2"] },
    ]);
    if (!("bindings" in own)) throw new Error(own.problem);
    const ownName = keyNames(own.bindings);
    expect(vaultLocked(ownName)).toBe("The vault is locked; press Ctrl-U to unlock it.");
    expect(noProject(ownName)).toMatch(/press F2 to register one or 3 /);
    expect(ownName("check.edit")).toBe("e");
  });
});
