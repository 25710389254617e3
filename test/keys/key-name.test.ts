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

describe("the keys in sentences", () => {
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
