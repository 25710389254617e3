// Renaming on Windows, where a file that another program has open cannot be replaced.

import { expect, it } from "vitest";
import { patientRename } from "#src/storage/file-system.ts";

/** A rename that fails with these codes, one after the other, and then does it. */
function failing(codes: string[]) {
  return async (): Promise<void> => {
    const code = codes.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  };
}

async function waitsOf(codes: string[], platform: NodeJS.Platform = "win32"): Promise<number> {
  let waits = 0;
  await patientRename(failing(codes), platform, async () => void (waits += 1))("a", "b");
  return waits;
}

it("waits on Windows while a file is in use, for a second at most", async () => {
  expect(await waitsOf([])).toBe(0);
  expect(await waitsOf(["EPERM", "EACCES", "EBUSY"])).toBe(3);
  const most = Array.from({ length: 8 }, () => "EBUSY");
  expect(await waitsOf([...most])).toBe(8);
  await expect(waitsOf([...most, "EBUSY"])).rejects.toThrow("EBUSY");
});

it("tells other faults at once, and all of them elsewhere", async () => {
  await expect(waitsOf(["ENOSPC"])).rejects.toThrow("ENOSPC");
  await expect(waitsOf(["EBUSY"], "linux")).rejects.toThrow("EBUSY");
});
