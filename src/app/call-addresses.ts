// Where the calls of a context really go: the addresses of the profile, or those at which its embedded sandbox listens now.

import type { Addresses } from "#src/actions/action-context.ts";
import type { Context } from "./context.ts";

/** Starts the embedded sandbox where the profile is its own. @throws Fault("sandbox") when it does not come up */
export async function callAddresses(context: Context): Promise<Addresses> {
  if (context.profile.environment !== "SANDBOX") return context.profile;
  await context.service();
  const endpoint = context.sandbox()?.endpoint;
  const url = endpoint === undefined ? UNKNOWN : `http://${endpoint.host}:${endpoint.port}`;
  return { baseUrl: url, projectsUrl: url };
}

const UNKNOWN = "http://127.0.0.1";
