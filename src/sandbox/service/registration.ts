// The two registration calls (spec 2.5-2.8, 4.2, 4.3).

import { Secret } from "#src/contract/secret.ts";
import { CREDENTIAL_WINDOW_MS } from "#src/contract/wire/clock.ts";
import type { TenantQuota } from "#src/contract/wire/sandbox-wire.ts";
import type { CredentialRequest, RegistrationRequest } from "#src/contract/wire/wire.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { ISSUED_ALGORITHM, issueKey, type Issuer } from "#src/sandbox/state/issuer.ts";
import type { SandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import { QuotaReached } from "#src/sandbox/state/tenant-record.ts";
import type { SandboxState } from "#src/sandbox/state/sandbox-state.ts";
import { registrationAge } from "#src/sandbox/state/stored-accounts.ts";
import { overQuota, type CallHandler } from "./check-call.ts";

/** @param credentialDelayS how long after the registration a credential is not ready yet, in virtual seconds */
export function createRegistration(options: {
  readonly state: SandboxState;
  readonly clock: SandboxClock;
  readonly issuer: Issuer;
  readonly credentialDelayS: number;
  readonly quota: TenantQuota | null;
}): Record<"register" | "credential", CallHandler> {
  const { state, clock, issuer, credentialDelayS, quota } = options;

  return {
    async register({ companyId }, document) {
      const body = document as RegistrationRequest;
      const label = JSON.stringify(["project", companyId, body.merchant_id, body.risk_level]);
      const key = issueKey(issuer, label);
      const project = {
        projectId: `prj-${issuer.hex(`${label} id`, 16)}`,
        companyId,
        merchantId: body.merchant_id,
        name: body.name,
        description: body.description ?? null,
        currency: body.currency,
        riskLevel: body.risk_level,
        registeredAt: clock.now(),
        credential: { keyId: key.keyId, secret: new Secret(key.secret), algorithm: ISSUED_ALGORITHM },
      };
      const most = quota?.projects;
      const isNew = await state.accounts.register(project, most).catch((error: unknown) => {
        throw error instanceof QuotaReached ? overQuota(`${most} projects`) : error;
      });
      if (!isNew) {
        throw new Refusal(
          "project_exists",
          "The company has a project of this merchant and risk level; request its credential instead.",
        );
      }
      const message = `The project is registered; its credential can be requested in ${credentialDelayS} s.`;
      return { body: { status: "success", message } };
    },

    async credential({ companyId }, document) {
      const body = document as CredentialRequest;
      const project = await state.accounts.project(companyId, body.merchant_id, body.risk_level);
      if (project === null) {
        throw new Refusal(
          "project_not_found",
          "No project of this merchant and risk level is registered; register it.",
        );
      }
      // The window (spec 2.8, section 8): from a short delay up to exactly 24 hours.
      const age = registrationAge(project, clock.now());
      if (age >= CREDENTIAL_WINDOW_MS) {
        // It stays closed by this, wherever the clock goes.
        if (project.ageFloorMs < CREDENTIAL_WINDOW_MS) await state.accounts.keepAge(project.projectId, age);
        throw new Refusal(
          "credential_window_closed",
          "The 24 hours after the registration are over; take the credential from the administrative panel.",
        );
      }
      const retryAfterS = Math.ceil((credentialDelayS * 1000 - age) / 1000);
      if (retryAfterS > 0) {
        const message = `The credential is not ready; ask again in ${retryAfterS} s.`;
        throw new Refusal("credential_not_ready", message, { retryAfterS });
      }
      const { keyId, secret, algorithm } = project.credential;
      return {
        body: {
          status: "success",
          message: "The credential signs checks of this project.",
          credential: {
            key_id: keyId,
            secret: secret.expose(),
            algorithm,
            project_id: project.projectId,
          },
        },
      };
    },
  };
}
