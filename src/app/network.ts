// What the environment says about the network: read here, and nowhere else.

import type { NetworkSettings } from "#src/client/routes.ts";
import { DIRECT } from "#src/contract/records/profile-fields.ts";
import type { Profile } from "#src/contract/records/profile.ts";

/** @throws Fault("bad_input") for a file that no certificate authorities can be read from */
export async function checkAuthorityFile(path: string): Promise<void> {
  const { readAuthorities } = await import("#src/client/authorities.ts");
  readAuthorities(path);
}

/**
 * The proxy of the profile, else `https_proxy` and `no_proxy`, else in capitals. `HTTP_PROXY` is not asked for: plain http is for addresses of this
 * machine, which are never reached through a proxy.
 */
export function readNetwork(env: NodeJS.ProcessEnv, profile: Pick<Profile, "ca" | "proxy">): NetworkSettings {
  return {
    proxy: readProxy(env, profile.proxy),
    authorityFile: profile.ca ?? null,
    tlsCheckOff: env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0",
  };
}

function readProxy(env: NodeJS.ProcessEnv, own: string | undefined): NetworkSettings["proxy"] {
  // What a profile says of its own service, the exceptions of the environment do not speak of.
  if (own !== undefined) return own === DIRECT ? null : { https: own, none: "" };
  const https = env["https_proxy"] ?? env["HTTPS_PROXY"] ?? "";
  return https === "" ? null : { https, none: env["no_proxy"] ?? env["NO_PROXY"] ?? "" };
}
