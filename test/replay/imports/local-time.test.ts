import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { localTimes } from "#src/replay/imports/local-time.ts";

/** The Temporal proposal of the runtime: another implementation of the same question. */
interface Oracle {
  readonly PlainDateTime: {
    from(text: string): {
      toZonedDateTime(
        zone: string,
        options: { readonly disambiguation: string },
      ): { readonly epochMilliseconds: number };
    };
  };
}
const { Temporal } = globalThis as unknown as { readonly Temporal?: Oracle };

/** The moments of a local time by Temporal: one, or none where clocks left it out or showed it twice. */
function byTemporal(text: string, zone: string): number | null {
  const local = Temporal!.PlainDateTime.from(text.replace(" ", "T"));
  try {
    return local.toZonedDateTime(zone, { disambiguation: "reject" }).epochMilliseconds;
  } catch {
    return null;
  }
}

function read(text: string, zone: string): unknown {
  const found = localTimes(zone)!(text);
  return "at" in found ? new Date(found.at).toISOString() : found.problem;
}

describe("local times", () => {
  test("of Kyiv, in winter, in summer and around both changes of the clock", () => {
    expect(read("2026-01-15 12:00:00", "Europe/Kyiv")).toBe("2026-01-15T10:00:00.000Z");
    expect(read("2026-07-15T12:00:00.25", "Europe/Kyiv")).toBe("2026-07-15T09:00:00.250Z");
    expect(read("2026-03-29 02:59:59", "Europe/Kyiv")).toBe("2026-03-29T00:59:59.000Z");
    expect(read("2026-03-29 03:30", "Europe/Kyiv")).toBe("skipped");
    expect(read("2026-10-25 03:30", "Europe/Kyiv")).toBe("twice");
    expect(read("2026-10-25 04:00", "Europe/Kyiv")).toBe("2026-10-25T02:00:00.000Z");
    expect(read("2026-07-15", "Europe/Kyiv")).toBe("2026-07-14T21:00:00.000Z");
    expect(read("2026-07-14 24:00", "Europe/Kyiv")).toBe("2026-07-14T21:00:00.000Z");
  });

  test("with a zone of their own go by that", () => {
    expect(read("2026-07-15T12:00:00Z", "Europe/Kyiv")).toBe("2026-07-15T12:00:00.000Z");
    expect(read("2026-07-15 12:00:00+05:30", "Europe/Kyiv")).toBe("2026-07-15T06:30:00.000Z");
    expect(read("2026-07-15 12:00-03", "Europe/Kyiv")).toBe("2026-07-15T15:00:00.000Z");
    expect(read("1784109600", "Europe/Kyiv")).toBe("2026-07-15T10:00:00.000Z");
  });

  test.each(["", "yesterday", "2026-02-30 12:00", "2026-13-01", "2026-01-01 12:60", "15.07.2026"])(
    "%s is none",
    (text) => {
      expect(read(text, "Europe/Kyiv")).toBe("unreadable");
    },
  );

  test("of an unknown zone cannot be read", () => {
    expect(localTimes("Europe/Atlantis")).toBeNull();
  });

  test.skipIf(Temporal === undefined)("are in every zone what Temporal says", () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
    const seconds = fc.integer({ min: Date.UTC(1975, 0) / 1_000, max: Date.UTC(2037, 11) / 1_000 });
    fc.assert(
      fc.property(zones, seconds, (zone, at) => {
        const text = new Date(at * 1_000).toISOString().slice(0, 19);
        const found = localTimes(zone)!(text);
        expect("at" in found ? found.at : null).toBe(byTemporal(text, zone));
      }),
      { numRuns: 2_000 },
    );
  });

  test.skipIf(Temporal === undefined)(
    "are what Temporal says in each quarter of an hour around changes",
    () => {
      for (const [zone, days] of [
        ["Europe/Kyiv", ["2026-03-29", "2026-10-25"]],
        ["America/New_York", ["2026-03-08", "2026-11-01"]],
        ["Australia/Lord_Howe", ["2026-04-05", "2026-10-04"]],
        ["Africa/Cairo", ["2026-04-24", "2026-10-29", "2026-10-30"]],
        ["Pacific/Apia", ["2011-12-29", "2011-12-30", "2011-12-31"]],
        ["America/St_Johns", ["2007-03-11", "2007-11-04"]],
      ] as const) {
        const readOne = localTimes(zone)!;
        for (const day of days) {
          for (let quarter = 0; quarter < 96; quarter++) {
            const time = new Date(quarter * 900_000).toISOString().slice(11, 19);
            const found = readOne(`${day} ${time}`);
            expect("at" in found ? found.at : null, `${zone} ${day} ${time}`).toBe(
              byTemporal(`${day} ${time}`, zone),
            );
          }
        }
      }
    },
  );
});
