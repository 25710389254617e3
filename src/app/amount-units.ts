// The unit of amounts by profile, for payments of several of them.

import type { Profile } from "#src/contract/records/profile.ts";
import type { Context } from "./context.ts";

/** Unit of each profile's amounts; minor, the default, for a removed profile. */
export async function unitsByProfile(
  context: Pick<Context, "profiles">,
): Promise<(profile: string) => Profile["amountUnit"]> {
  const units = new Map(
    (await (await context.profiles()).list()).map((each) => [each.name, each.amountUnit]),
  );
  return (profile) => units.get(profile) ?? "minor";
}
