// One durable verdict of the history, empty and with a million entries, against the bare system calls with the same bytes.

import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { intent } from "../storage/entries.ts";
import { historyIn } from "../storage/open-history.ts";
import { writeBulkHistory } from "./bulk-history.ts";
import { sideBySide, type Row } from "./measure.ts";

const ROUNDS = 400;
const MILLION = 1_000_000;

/** On the disk, where a sync costs what it costs. */
export async function* benchDurableAppend(): AsyncGenerator<Row> {
  for (const [what, before] of [
    ["append one durable verdict", 0],
    ["append one durable verdict, a million before", MILLION],
  ] as const) {
    const folder = mkdtempSync(join(tmpdir(), "verdict-bench-"));
    const dir = join(folder, "data");
    const entry = (id: string): ReturnType<typeof intent> => {
      const made = intent(id);
      return { ...made, request: { ...made.request, description: "x".repeat(400) } };
    };
    try {
      if (before > 0)
        await writeBulkHistory(dir, before, { profile: "bench", project: "shop/medium" }, Date.now());
      const history = historyIn(dir);
      const bytes = Buffer.from(JSON.stringify(entry("first")));
      const bare = openSync(join(folder, "bare"), "a");
      let number = 0;
      yield await sideBySide(
        { what, yardstick: "write + fdatasync, same bytes", budget: 1.6 },
        ROUNDS,
        async () => void (await history.intend(entry(`append-${(number += 1)}`))),
        () => {
          writeSync(bare, bytes);
          fdatasyncSync(bare);
        },
      );
      closeSync(bare);
      await history.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
