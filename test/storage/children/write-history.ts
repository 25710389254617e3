// Writes checks `name-1`, `name-2`, ... into a history, `count` times or until killed; prints each step once it is durable, and
// a refusal, after which it goes on with the next check.

import { writeSync } from "node:fs";

import { Fault } from "#src/contract/fault.ts";
import { answer, intent } from "../entries.ts";
import { historyIn } from "../open-history.ts";

const [dir = "", name = "", count = "0"] = process.argv.slice(2);
const history = historyIn(dir);
for (let done = 1; done <= Number(count); done += 1) {
  const entry = intent(`${name}-${done}`, { request: { description: "x".repeat((done * 37) % 900) } });
  try {
    await history.intend(entry);
    writeSync(1, `intent ${entry.id}\n`);
    await history.settle({ ...entry, result: answer({ recommendation: "block" }) });
    writeSync(1, `outcome ${entry.id}\n`);
    await history.annotate(entry.id, "noted");
    writeSync(1, `note ${entry.id}\n`);
    await history.labels.set([{ orderId: entry.id, label: "fraud", at: done }]);
    writeSync(1, `label ${entry.id}\n`);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    writeSync(1, `refused ${error.code} ${error.message}\n`);
  }
}
await history.close().catch((error: unknown) => {
  if (!(error instanceof Fault)) throw error;
});
