// A profile before it is stored or used.

import type { Finding } from "./field.ts";
import { ENVIRONMENTS, SANDBOX_PROFILE, type Profile } from "./profile.ts";
import { serviceUrlProblem } from "./service-url.ts";

/** Names that are safe as words of a command line and as file names everywhere. */
const PROFILE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const RECIPE_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const DAY_S = 86_400;

/** Of either kind of system; a control would hide in what is printed. */
function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])[^\p{Cc}]{0,4095}$/u.test(path);
}

/**
 * What is wrong with a profile; empty when all is well. Only the built-in `sandbox` may leave its addresses empty:
 * they are found at run time.
 */
export function validateProfile(profile: Profile): Finding[] {
  const builtIn = profile.name === SANDBOX_PROFILE.name;
  const { baseUrl, projectsUrl, credentialWaitS } = profile;
  const waitFits = Number.isSafeInteger(credentialWaitS) && credentialWaitS >= 0 && credentialWaitS <= DAY_S;
  const problems: [path: string, problem: string | null][] = [
    [
      "name",
      PROFILE_NAME.test(profile.name)
        ? null
        : "must be 1 to 64 of a-z, 0-9, dot, dash and underscore, no mark first",
    ],
    [
      "environment",
      ENVIRONMENTS.includes(profile.environment) ? null : `must be one of ${ENVIRONMENTS.join(", ")}`,
    ],
    ["base_url", builtIn && baseUrl === "" ? null : serviceUrlProblem(baseUrl)],
    ["projects_url", builtIn && projectsUrl === "" ? null : serviceUrlProblem(projectsUrl)],
    ["recipe", RECIPE_ID.test(profile.recipe) ? null : "must be the id of a signing recipe"],
    [
      "amount_unit",
      profile.amountUnit === "minor" || profile.amountUnit === "major" ? null : "must be minor or major",
    ],
    ["ca", profile.ca === undefined || isAbsolutePath(profile.ca) ? null : "must be an absolute path"],
    ["credential_wait_s", waitFits ? null : `must be a whole number of seconds from 0 to ${DAY_S}`],
  ];
  return problems.flatMap(([path, problem]) =>
    problem === null ? [] : [{ path, severity: "error" as const, message: `${path} ${problem}.` }],
  );
}
