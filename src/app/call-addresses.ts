// The addresses of a context's calls: those of the profile, or the current one of its embedded sandbox.

import type { Addresses } from "#src/actions/action-context.ts";
import type { Context } from "./context.ts";

/** Starts the embedded sandbox for its profile. @throws Fault("sandbox") when it does not start */
export async function callAddresses(context: Context): Promise<Addresses> {
  if (context.profile.environment !== "SANDBOX") return context.profile;
  await context.service();
  const endpoint = context.sandbox()?.endpoint;
  const url = endpoint === undefined ? UNKNOWN : `http://${endpoint.host}:${endpoint.port}`;
  return { baseUrl: url, projectsUrl: url };
}

const UNKNOWN = "http://127.0.0.1";
