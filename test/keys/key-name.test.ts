// Sentences that name a key name the one in force.

import { globSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { keyName, nameKeys } from "#src/display/key-name.ts";
import { keyLabel } from "#src/keys/binding.ts";
import { noProject } from "#src/state/check/checks.ts";
import { vaultLocked } from "#src/state/vault/vault-lock.ts";

afterEach(() => nameKeys(new Map()));

/** Every binding that a sentence names, with what the sentence calls it in the standard table. */
const named = globSync("{src,screens}/**/*.{ts,tsx}").flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/keyName\("([^"]+)", "([^"]+)"\)/g)].map(
    ([, id, standard]) => [file, id!, standard!] as const,
  ),
);

describe("the keys in sentences", () => {
  it("are those of the standard table", () => {
    const labels = new Map(BINDINGS.map(({ id, keys }) => [id, keyLabel(keys[0]!)]));
    expect(named.length).toBeGreaterThan(40);
    for (const [file, id, standard] of named) expect(standard, `${id} in ${file}`).toBe(labels.get(id));
  });

  it("are the user's own where there are some", () => {
    expect(vaultLocked()).toBe("The vault is locked; press u to unlock it.");
    nameKeys(
      new Map([
        ["lock.unlock", "Ctrl-U"],
        ["shell.register", "F2"],
      ]),
    );
    expect(vaultLocked()).toBe("The vault is locked; press Ctrl-U to unlock it.");
    expect(noProject()).toMatch(/press F2 to register one or 3 /);
    expect(keyName("check.edit", "e")).toBe("e");
  });
});
