// Clocks that are wrong, and clocks that are not.

import { expect, it } from "vitest";
import { clockFindings, sandboxClockFinding, serviceClockFinding } from "#src/app/doctor-clock.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

it("a clock before the first release, and one behind its own files, are problems", () => {
  expect(clockFindings(0, null)).toMatchObject([{ state: "problem" }]);
  expect(clockFindings(NOW, NOW + 3 * HOUR)).toMatchObject([
    { state: "problem", what: expect.stringContaining("3 h later") },
  ]);
  // Disks of other machines are a little ahead at times.
  expect(clockFindings(NOW, NOW + 30_000)).toMatchObject([{ state: "ok" }]);
  expect(clockFindings(NOW, null)).toMatchObject([{ state: "ok" }]);
});

it("the sandbox may have a time of its own, which is worth a note", () => {
  expect(sandboxClockFinding(100).state).toBe("ok");
  expect(sandboxClockFinding(24 * HOUR)).toMatchObject({
    state: "note",
    what: expect.stringMatching(/1 d ahead/),
  });
  expect(sandboxClockFinding(-HOUR)).toMatchObject({
    state: "note",
    what: expect.stringMatching(/1 h behind/),
  });
});

it("a clock that is off by minutes has its signatures refused", () => {
  const off = (aheadMs: number): string => serviceClockFinding("live", { kind: "date", aheadMs }).state;
  expect([0, 20_000, 60_000, -60_000, 10 * 60_000, -10 * 60_000].map(off)).toEqual([
    "ok",
    "ok",
    "note",
    "note",
    "problem",
    "problem",
  ]);
  expect(serviceClockFinding("live", { kind: "none", explanation: "It is away." })).toMatchObject({
    state: "note",
    what: expect.stringContaining("It is away."),
  });
});
