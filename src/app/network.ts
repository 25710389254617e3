// Network settings from the environment and the profile. Nothing else reads these variables.

import type { NetworkSettings } from "#src/client/routes.ts";
import { DIRECT } from "#src/contract/records/profile-fields.ts";
import type { Profile } from "#src/contract/records/profile.ts";

/** @throws Fault("bad_input") for a file without readable certificate authorities */
export async function checkAuthorityFile(path: string): Promise<void> {
  const { readAuthorities } = await import("#src/client/authorities.ts");
  readAuthorities(path);
}

/**
 * The proxy of the profile, else `https_proxy` and `no_proxy`, else the same in capitals. `HTTP_PROXY` is not used, because
 * http is allowed on loopback only, which is never proxied.
 */
export function readNetwork(env: NodeJS.ProcessEnv, profile: Pick<Profile, "ca" | "proxy">): NetworkSettings {
  return {
    proxy: readProxy(env, profile.proxy),
    authorityFile: profile.ca ?? null,
    tlsCheckOff: env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0",
  };
}

function readProxy(env: NodeJS.ProcessEnv, own: string | undefined): NetworkSettings["proxy"] {
  // The exceptions of the environment do not apply to the profile's own proxy.
  if (own !== undefined) return own === DIRECT ? null : { https: own, none: "" };
  const https = env["https_proxy"] ?? env["HTTPS_PROXY"] ?? "";
  return https === "" ? null : { https, none: env["no_proxy"] ?? env["NO_PROXY"] ?? "" };
}
