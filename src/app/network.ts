// What the environment says about the network: read here, and nowhere else.

import type { NetworkSettings } from "#src/client/routes.ts";
import type { Profile } from "#src/contract/profile.ts";

/** @throws Fault("bad_input") for a file that no certificate authorities can be read from */
export async function checkAuthorityFile(path: string): Promise<void> {
  const { readAuthorities } = await import("#src/client/authorities.ts");
  readAuthorities(path);
}

/**
 * `https_proxy` and `no_proxy`, else in capitals. `HTTP_PROXY` is not asked for: plain http is for addresses of this
 * machine, which are never reached through a proxy.
 */
export function readNetwork(env: NodeJS.ProcessEnv, profile: Pick<Profile, "ca">): NetworkSettings {
  const https = env["https_proxy"] ?? env["HTTPS_PROXY"] ?? "";
  return {
    proxy: https === "" ? null : { https, none: env["no_proxy"] ?? env["NO_PROXY"] ?? "" },
    authorityFile: profile.ca ?? null,
    tlsCheckOff: env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0",
  };
}
