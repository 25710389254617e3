// One durable verdict of the history, against the bare system calls with the same bytes.

import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { intent } from "../storage/entries.ts";
import { historyIn } from "../storage/open-history.ts";
import { sideBySide, type Row } from "./measure.ts";

const ROUNDS = 400;

export async function* benchDurableAppend(): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const history = historyIn(join(folder, "data"));
  const description = "x".repeat(400);
  const entry = (id: string): ReturnType<typeof intent> => {
    const made = intent(id);
    return { ...made, request: { ...made.request, description } };
  };
  try {
    await history.intend(entry("first"));
    const bytes = Buffer.from(JSON.stringify(entry("first")));
    const bare = openSync(join(folder, "bare"), "a");
    let number = 0;
    yield await sideBySide(
      { what: "append one durable verdict", yardstick: "write + fdatasync, same bytes", budget: 1.6 },
      ROUNDS,
      () => history.intend(entry(`bench-${(number += 1)}`)),
      () => {
        writeSync(bare, bytes);
        fdatasyncSync(bare);
      },
    );
    closeSync(bare);
  } finally {
    await history.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
