// Writes checks `name-1`, `name-2`, ... into a history, `count` times or until killed; prints each step once it is durable.

import { writeSync } from "node:fs";

import { answer, intent } from "../entries.ts";
import { historyIn } from "../open-history.ts";

const [dir = "", name = "", count = "0"] = process.argv.slice(2);
const history = historyIn(dir);
for (let done = 1; done <= Number(count); done += 1) {
  const entry = intent(`${name}-${done}`, { request: { description: "x".repeat((done * 37) % 900) } });
  await history.intend(entry);
  writeSync(1, `intent ${entry.id}\n`);
  await history.settle({ ...entry, result: answer({ recommendation: "block" }) });
  writeSync(1, `outcome ${entry.id}\n`);
  await history.annotate(entry.id, "noted");
  writeSync(1, `note ${entry.id}\n`);
}
await history.close();
