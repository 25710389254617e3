// One durable line of the history, against the bare system calls with the same bytes.

import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "#src/storage/database/journal.ts";
import { sideBySide, type Row } from "./measure.ts";

const ROUNDS = 400;

export async function* benchDurableAppend(): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const record = { id: "bench", text: "x".repeat(600) };
  const journal = openJournal<typeof record>({ dir: join(folder, "journal") });
  try {
    await journal.append(record);
    const segment = readdirSync(join(folder, "journal")).find((name) => name.endsWith(".jsonl"))!;
    const bytes = readFileSync(join(folder, "journal", segment));
    const bare = openSync(join(folder, "bare"), "a");
    yield await sideBySide(
      { what: "append one durable record", yardstick: "write + fdatasync, same bytes", budget: 2 },
      ROUNDS,
      () => journal.append(record),
      () => {
        writeSync(bare, bytes);
        fdatasyncSync(bare);
      },
    );
    closeSync(bare);
  } finally {
    await journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
