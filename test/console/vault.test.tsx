// The Vault screen in terminals of several sizes: the table, the secret in the open, keys by hand.

import { AREAS, openConsole } from "./driver.tsx";
import { describe, expect, it } from "vitest";
import { VaultScreen } from "#screens/vault/vault-screen.tsx";
import { vaultView, type VaultRenderOptions } from "#screens/vault/view-model.ts";
import { Secret } from "#src/contract/secret.ts";
import { ownerOf } from "#src/contract/records/key.ts";
import { MASK } from "#src/display/mask.ts";
import { widthOf } from "#src/ui/fit.ts";
import type { Band } from "#src/ui/pane.tsx";
import type { Row } from "#src/ui/rows.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";
import { listedKeys, type KeyringEntry, type KeyringState } from "#src/state/vault/keyring-state.ts";
import { NO_USES } from "#src/state/vault/key-uses.ts";
import { putCompanyKey, putCredential } from "./test-context.ts";

const SECRET = "5ec2e7".repeat(10);

type Credential = Extract<KeyringEntry, { kind: "project_credential" }>;

function entry(index: number, change: Partial<Credential> = {}): Credential {
  return {
    id: `id-${index}`,
    kind: "project_credential",
    profile: "sandbox",
    projectKey: `商店-${index}/medium`,
    projectId: `project-${index}`,
    keyId: `hmac-sha256-key-${index}`,
    algorithm: "hmac-sha256",
    baseUrl: "embedded:sandbox",
    fingerprint: "0a1b2c3d",
    ...change,
  };
}

const MANY = Array.from({ length: 30 }, (_, index) => entry(index));

function stateOf(change: Partial<KeyringState> = {}): KeyringState {
  return {
    entries: MANY,
    former: [],
    elsewhere: 0,
    loaded: true,
    selectedId: "id-17",
    revealed: null,
    adding: null,
    working: null,
    tests: {},
    filter: "",
    sort: { by: "added", turned: false },
    uses: NO_USES,
    registered: {},
    ...change,
  };
}

const NOW = new Date(2026, 10, 21, 18, 0).getTime();
const theme = createTheme({ keyName, color: true, ascii: false });
const OPEN: VaultRenderOptions["lock"] = {
  protection: "key_file",
  locked: false,
  unlocking: false,
  locksIn: null,
};
const viewOf = (state: KeyringState, columns = 80, rows = 22, options: Partial<VaultRenderOptions> = {}) =>
  vaultView(
    state,
    { columns, rows },
    { theme, profile: "sandbox", lock: OPEN, held: null, now: NOW, ...options },
  );
const rowsOf = (view: readonly Band[]): Row[] =>
  view.flatMap(({ panes }) => panes.flatMap(({ rows }) => rows));
const detailOf = (state: KeyringState, columns = 80): string =>
  rowsOf(viewOf(state, columns))
    .map((row) => row.map(({ text }) => text).join(""))
    .join("\n");

describe("the rows", () => {
  it.each(AREAS)("fill %i x %i exactly, with the selected entry among them", (columns, rows) => {
    const view = viewOf(stateOf(), columns, rows);
    expect(view.reduce((sum, { height }) => sum + 1 + height, 0)).toBe(rows);
    for (const { panes, height } of view) expect(panes[0]!.rows).toHaveLength(height);
    for (const row of rowsOf(view)) expect(widthOf(row.map(({ text }) => text).join(""))).toBe(columns);
    const bar = rowsOf(view).find(([span]) => span?.role === "bar");
    expect(bar?.map(({ text }) => text).join("")).toContain("› 商店-17/medium");
  });

  it("mask every secret with the same length", () => {
    expect(detailOf(stateOf())).toContain(`Secret      ${MASK}`);
  });

  it("show all of a long secret in the open, and for how long", () => {
    const secret = "0123456789abcdef".repeat(16);
    const revealed = { id: "id-17", secret: new Secret(secret), secondsLeft: 8 };
    const text = detailOf(stateOf({ revealed }), 60);
    expect(text).toContain("hidden again in 8 s");
    expect(text.replaceAll(/\s/g, "")).toContain(secret);
  });

  it("escape what came from elsewhere", () => {
    const odd = entry(1, { projectKey: "a\u001b]0;x\u0007/low", keyId: "k\u202e" });
    const state = stateOf({ entries: [odd], selectedId: "id-1" });
    const text = detailOf(state);
    for (const hidden of ["\u001b", "\u0007", "\u202e"]) expect(text).not.toContain(hidden);
  });

  it("tell when a key signed last and what its last test showed", () => {
    const byKey = {
      "hmac-sha256-key-17": { at: NOW - 60_000, test: { at: NOW - 120_000, verdict: "refused" as const } },
    };
    const text = detailOf(
      stateOf({ uses: { byKey, whole: true }, registered: { "商店-16/medium": NOW - 36_000_000 } }),
    );
    expect(text).toMatch(/› 商店-17\/medium +…\S*key-17 +- +17:59:00 +✖ refused, 17:58:00/);
    expect(text).toMatch(/商店-16\/medium +…\S*key-16 +08:00:00 +never +not tested/);
    expect(detailOf(stateOf())).toMatch(/商店-16\/medium +…\S*key-16 +- +not recent +not recent/);
  });
});

/** The owners in their order. */
const owners = (state: KeyringState): string[] => listedKeys(state).map(ownerOf);

describe("the list", () => {
  const some = [entry(1), entry(3), entry(2, { projectKey: "other/low" })];

  it("has the keys in whose kind, owner or id every word of the filter is", () => {
    expect(owners(stateOf({ entries: some, filter: "medium credential" }))).toEqual([
      "商店-1/medium",
      "商店-3/medium",
    ]);
    expect(owners(stateOf({ entries: some, filter: "key-2" }))).toEqual(["other/low"]);
  });

  it("is sorted by owner, or by the last use, where those that were never used come last", () => {
    const uses = { byKey: { "hmac-sha256-key-3": { at: NOW, test: null } }, whole: true };
    const by = (sort: KeyringState["sort"]): string[] => owners(stateOf({ entries: some, uses, sort }));
    expect(by({ by: "owner", turned: false })[0]).toBe("other/low");
    expect(by({ by: "last", turned: false })[0]).toBe("商店-3/medium");
    expect(by({ by: "added", turned: true })).toEqual(["other/low", "商店-3/medium", "商店-1/medium"]);
  });
});

const show = (filled: boolean, size = { columns: 80, rows: 22 }) =>
  openConsole({
    ...size,
    before: async ({ context, session }) => {
      session.go("vault");
      if (!filled) return;
      await putCompanyKey(context, "company-1", { secret: SECRET });
      await putCredential(context, "demo-shop/medium", { keyId: "key-2", secret: SECRET });
    },
    area: (area) => <VaultScreen {...area} />,
  });

describe("the screen", () => {
  it("takes an integration key by hand", async () => {
    const { screen } = await show(false);
    await screen.until("The vault is empty");
    await screen.press("a").until("[integration key]");
    await screen.press(`\tcompany-9\tkey-9\t\t\x1b[200~${SECRET}\x1b[201~`).until("60 characters");
    expect(screen.frame()).not.toContain(SECRET);
    expect(await screen.press("\r\r").until(/› all of company-9/)).toContain("company-9");
  });

  it("keeps what was typed when letters and digits are pressed on a choice, and chooses by the first letter", async () => {
    const { screen } = await show(false);
    await screen.until("The vault is empty");
    await screen.press("a").until("[integration key]");
    screen.press("4");
    screen.press("q");
    await screen.press("c").until("[credential]");
    screen.press("something else");
    await screen.press("i").until("[integration key]");
    await screen.press(" ").until("[credential]");
    await screen.press("\x1b[C").until("[integration key]");
    expect(screen.dispatcher.active().map(({ binding }) => binding.id)).not.toContain("shell.history");
  });
});
