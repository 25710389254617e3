// The sandbox behind every recipe: calls that are signed with it go through, replays and stolen keys do not.

import { describe, expect, test } from "vitest";
import { Secret } from "#src/contract/secret.ts";
import { PRESETS, recipeById } from "#src/signing/recipes/presets.ts";
import { isSigned } from "#src/signing/recipes/signed-parts.ts";
import type { Identity } from "#src/signing/sign.ts";
import {
  CHECK,
  call,
  credentialOf,
  registration,
  send,
  signedCall,
  startSandbox,
  temporaryFolder,
  type SandboxUnderTest,
} from "./sandbox-under-test.ts";

describe.each(PRESETS.map(({ recipe }) => recipe))("%s", (id) => {
  const recipe = recipeById(id);
  const changes = { recipe };

  async function project(sandbox: SandboxUnderTest, merchant: string): Promise<Identity> {
    const company = await sandbox.company();
    const registered = await call(sandbox, "register", company, registration(merchant), changes);
    expect(registered.status, registered.text).toBe(200);
    await sandbox.clock({ do: "advance", byMs: 5_000 });
    const body = { merchant_id: merchant, risk_level: "medium" };
    return credentialOf(await call(sandbox, "credential", company, body, changes));
  }

  test("a project is registered, and its checks are answered; a replay is known, after a restart too", async () => {
    const folder = await temporaryFolder();
    const sandbox = await startSandbox({ recipe }, folder);
    const shop = await project(sandbox, "shop");
    const sending = signedCall(sandbox.port, "check", shop, CHECK, changes);
    const first = await send(sandbox.port, sending);
    expect(first.status, first.text).toBe(200);

    const detected = isSigned(recipe, "check", "time") || isSigned(recipe, "check", "nonce");
    const again = await send(sandbox.port, sending);
    if (detected) {
      expect(again.status).toBe(401);
      expect(sandbox.logged.at(-1)?.reason).toBe("the signature was used before");
    } else {
      // Nothing tells a replay from the first: the same order gets the stored decision and counts once.
      expect(again.status).toBe(200);
      expect(again.text).toBe(first.text);
      expect(sandbox.logged.at(-1)?.repeat).toBe(true);
    }
    await sandbox.stop();

    const restarted = await startSandbox({ recipe }, folder);
    const { host: _, ...headers } = sending.headers!;
    const late = await send(restarted.port, {
      ...sending,
      headers: { ...headers, host: `127.0.0.1:${sandbox.port}` },
    });
    expect(late.status).toBe(detected ? 401 : 200);
    if (detected) expect(restarted.logged.at(-1)?.reason).toBe("the signature was used before");
  });

  test("a key opens its own project alone, and only with its secret", async () => {
    const sandbox = await startSandbox({ recipe });
    const [shop, other] = [await project(sandbox, "shop"), await project(sandbox, "other")];
    const foreign = await call(sandbox, "check", { ...shop, projectId: other.projectId! }, CHECK, changes);
    expect(foreign.status).toBe(403);
    const swapped = await call(sandbox, "check", shop, CHECK, {
      ...changes,
      headers: (signed) => ({ ...signed, "x-project-id": other.projectId! }),
    });
    expect(swapped.status).toBe(isSigned(recipe, "check", "project or company") ? 401 : 403);
    if (id === "none") return;
    const secret = new Secret("8e".repeat(32));
    const wrong = await call(sandbox, "check", { ...shop, secret }, CHECK, changes);
    expect(wrong.status).toBe(401);
    expect(wrong.text).not.toContain(shop.secret.expose());
    expect(JSON.stringify(sandbox.logged)).not.toContain(shop.secret.expose());
    const unknown = await call(sandbox, "check", { ...shop, keyId: "nobody" }, CHECK, changes);
    expect(unknown.status).toBe(401);
    expect(unknown.body["message"]).toBe(wrong.body["message"]);
  });
});
