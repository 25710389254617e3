import fc from "fast-check";
import { expect, test } from "vitest";
import { problemOf } from "#src/signing/canonical/components.ts";

/** The same in the plainest words. */
function plainly(components: readonly string[], present: readonly string[], claimed: readonly string[]) {
  if (new Set(claimed).size !== claimed.length) return "a component is signed twice";
  for (const name of claimed) if (!present.includes(name)) return `the signed header ${name} is missing`;
  for (const component of components) {
    const there = component.split("|").filter((name) => present.includes(name));
    if (there.length === 0) return `the header ${component} is missing`;
    const unsigned = there.find((name) => !claimed.includes(name));
    if (unsigned !== undefined) return `${unsigned} is not signed`;
  }
  return null;
}

test("what is claimed is enough when all is there, once, and nothing is left out", () => {
  const name = fc.constantFrom("a", "b", "c", "d");
  const component = fc.oneof(
    name,
    fc.tuple(name, name).map((two) => two.join("|")),
  );
  const message = {
    method: "POST",
    target: "/",
    scheme: "http",
    body: Buffer.alloc(0),
    header: () => "",
  } as const;
  fc.assert(
    fc.property(
      fc.array(component, { maxLength: 4 }),
      fc.subarray(["a", "b", "c", "d"]),
      fc.array(name, { maxLength: 5 }),
      (components, present, claimed) => {
        const isPresent = (_: unknown, each: string): boolean => present.includes(each);
        expect(problemOf(components, message, claimed, isPresent)).toBe(
          plainly(components, present, claimed),
        );
      },
    ),
    { numRuns: 1_000 },
  );
});
