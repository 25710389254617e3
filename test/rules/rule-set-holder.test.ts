// Reloading rules: a wrong file never replaces a right one, and the last word is the last text.

import { describe, expect, it } from "vitest";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import { createRuleSetHolder, type RuleSetHolder } from "#src/rules/rule-set-holder.ts";
import { loadStarter, starterText } from "./sample.ts";

const holder = async (): Promise<RuleSetHolder> =>
  createRuleSetHolder({ ruleSet: await loadStarter(), sourceName: "starter-rules.yaml" }, () => 7);
const renamed = (name: string): string => starterText.replace("name: starter", `name: ${name}`);

describe("reload", () => {
  it("lets the new rules decide, and tells what it did", async () => {
    const rules = await holder();
    expect(rules.last).toBeNull();
    const reload = await rules.reload(renamed("mine"), "mine.yaml");
    expect(rules.current.name).toBe("mine");
    expect(reload).toEqual({ at: 7, hash: rules.current.hash, error: null, changed: true });
    expect([rules.last, rules.sourceName]).toEqual([reload, "mine.yaml"]);
    expect(await rules.reload(renamed("mine"), "mine.yaml")).toMatchObject({ error: null, changed: false });
  });

  it("keeps the old rules when the new ones are wrong, and points at the fault", async () => {
    const rules = await holder();
    const before = rules.current;
    const wrong = starterText.replace('velocity("card", "1h") > limit', 'velocity("card", "1h") > limt');
    const { error, changed, hash } = await rules.reload(wrong, "mine.yaml");
    expect(rules.current).toBe(before);
    expect([changed, hash === before.hash, rules.sourceName]).toEqual([false, false, "starter-rules.yaml"]);
    expect(error?.message).toMatch(/^mine\.yaml:\d+:\d+: CARD_VELOCITY_1H: in when: Unknown variable: limt/);
    await rules.reload(renamed("better"), "mine.yaml");
    expect([rules.current.name, rules.last?.error]).toEqual(["better", null]);
  });

  it("takes what was loaded of the same text before, and of no other", async () => {
    const rules = await holder();
    const loaded = await loadRules(renamed("mine"), "draft.yaml");
    expect(await rules.reload(renamed("mine"), "mine.yaml", loaded)).toMatchObject({ changed: true });
    expect(rules.current).toBe(loaded);
    await rules.reload(renamed("another"), "mine.yaml", loaded);
    expect(rules.current.name).toBe("another");
  });

  it("takes texts in their order", async () => {
    const rules = await holder();
    await Promise.all(["a", "b", "c"].map((name) => rules.reload(renamed(name), `${name}.yaml`)));
    expect(rules.current.name).toBe("c");
  });
});
