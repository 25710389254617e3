// The checks and the composer over a real history in a temporary home, with a service that answers as the test says.

import type { Context } from "#src/app/context.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { createChecks, type Checks } from "#src/state/check/checks.ts";
import { createComposedPayload, type ComposedPayload } from "#src/state/check/composed-payload.ts";
import { createComposer, type Composer } from "#src/state/check/composer.ts";
import { createLibrary, type Library } from "#src/state/check/library.ts";
import { createSendBrake, type SendBrake } from "#src/state/check/send-brake.ts";
import { createSigningView, type SigningView } from "#src/state/check/signing-view.ts";
import { createSweeps, type Sweeps } from "#src/state/check/sweeps.ts";
import { createWhatIf, type WhatIfView } from "#src/state/check/what-if.ts";
import { createOwnCommands, type OwnCommands } from "#src/state/own-commands.ts";
import { createSession, type Session } from "#src/state/session.ts";
import { createVaultLock, type VaultLock } from "#src/state/vault/vault-lock.ts";
import { answered, putCredential, testContext, type TestService } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";

export const PROJECT = "demo-shop/medium";
export const NOON = Date.UTC(2026, 2, 16, 12);

export interface Checking {
  readonly context: Context;
  readonly answers: TestService;
  readonly session: Session;
  readonly checks: Checks;
  readonly composer: Composer;
  readonly brake: SendBrake;
  readonly composed: ComposedPayload;
  readonly library: Library;
  readonly signing: SigningView;
  readonly whatIf: WhatIfView;
  readonly sweeps: Sweeps;
  readonly ownCommands: OwnCommands;
  readonly vaultLock: VaultLock;
  /** Texts of the toasts, oldest first. */
  said(): string[];
  remove(): Promise<void>;
}

/**
 * @param withCredential false for a home in which no project is ready
 * @param profile what is different from the sandbox's
 */
export async function checking(
  answers: TestService = {},
  withCredential: boolean = true,
  profile: Partial<Profile> = {},
): Promise<Checking> {
  answers.now ??= () => NOON;
  const { context: real, remove } = await testContext(answers);
  const { baseUrl, projectsUrl } = { ...real.addresses(), ...profile };
  const context: Context = {
    ...real,
    profile: { ...real.profile, ...profile },
    addresses: () => ({ baseUrl, projectsUrl }),
  };
  if (withCredential) await putCredential(context, PROJECT);
  const session = createSession({ keyName, quit: () => undefined, after: () => () => undefined });
  if (withCredential) session.setProject(PROJECT);
  const checks = createChecks(context, session);
  const composer = createComposer(context, session, checks);
  return {
    context,
    answers,
    session,
    checks,
    composer,
    brake: createSendBrake(context, session, checks),
    composed: createComposedPayload(context, session, composer),
    library: createLibrary(context, session, composer),
    vaultLock: createVaultLock(context, session),
    signing: createSigningView(context, session, { composer, checks }, { copy: () => true }),
    whatIf: createWhatIf(context, session, composer),
    sweeps: createSweeps(context, session, composer),
    ownCommands: createOwnCommands(context.profile, session, []),
    said: () => session.store.getState().toasts.map((toast) => toast.text),
    async remove() {
      session.close();
      await remove();
    },
  };
}

/** An answer that asks for 3-D Secure. */
export function challenge(): ReturnType<typeof answered> {
  return answered("3ds_or_block", { message: "Send to 3-D Secure" });
}
