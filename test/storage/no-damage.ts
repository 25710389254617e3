// For tests in which no document may be found damaged.

import type { StoreProblem } from "#src/storage/store-problem.ts";

export function noDamage({ message }: StoreProblem): never {
  throw new Error(message);
}
