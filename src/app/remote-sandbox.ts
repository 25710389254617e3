// A sandbox on another machine, reached at the address of its administrative plane.

import { createSandboxAdmin, type SandboxAdmin } from "#src/client/sandbox-admin.ts";
import { allAuthorities } from "#src/client/authorities.ts";
import { usage, whole } from "#src/contract/fault.ts";
import { readToken } from "#src/contract/guarded-file.ts";
import { serviceUrlProblem } from "#src/contract/wire/service-url.ts";

export interface RemoteSandbox {
  /** Address of the administrative plane, which must be of https: a token is not sent in clear. */
  readonly address: string;
  readonly tokenFile: string | undefined;
  /** PEM file of further authorities. */
  readonly caFile: string | undefined;
}

/** @throws Fault("usage") for an address or files that cannot be used, Fault("bad_input") for the authorities */
export function remoteAdmin(
  { address, tokenFile, caFile }: RemoteSandbox,
  tenant: string | undefined,
): SandboxAdmin {
  const problem = address.startsWith("https:")
    ? serviceUrlProblem(address)
    : "must start with https://, because the token goes to it";
  if (problem !== null) {
    // What stands before an @ may be a password.
    const shown = address.replace(/\/\/[^]*@/, "//...@");
    throw usage`The address ${shown} of --admin ${whole(problem)}.`;
  }
  if (tokenFile === undefined) {
    throw usage`--admin needs --token-file with the token of that administrative plane.`;
  }
  const ca = caFile === undefined ? null : allAuthorities(caFile);
  return createSandboxAdmin({ url: new URL(address), adminToken: readToken(tokenFile), ca }, tenant);
}
