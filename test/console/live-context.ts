// The context of a console test on a profile of its own, stored in its home, with the functions given as its service.

import type { Context } from "#src/app/context.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { testContext, type TestContext, type TestService } from "./test-context.ts";

export const LIVE: Profile = {
  name: "shop-live",
  environment: "LIVE",
  baseUrl: "https://check.example",
  projectsUrl: "https://projects.example",
  recipe: "http-signatures",
  amountUnit: "minor",
  credentialWaitS: 180,
};

/** A console's context on this profile, which is in use, beside another one. */
export async function profileContext(
  profile: Profile = LIVE,
  answers: TestService = {},
): Promise<TestContext> {
  const test = await testContext(answers);
  const book = await test.context.profiles();
  await book.put(profile);
  await book.put({ ...LIVE, name: "other", environment: "TEST" });
  await book.use(profile.name);
  const { baseUrl, projectsUrl } = profile;
  const context: Context = { ...test.context, profile, addresses: () => ({ baseUrl, projectsUrl }) };
  return { ...test, context };
}
