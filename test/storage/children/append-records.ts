// Appends records `name-1`, `name-2`, ... to a journal, `count` times or until killed; prints each once it is durable.
// With "burst", ten are appended at once each time.

import { writeSync } from "node:fs";

import { openJournal } from "#src/storage/database/journal.ts";

const [dir = "", name = "", count = "0", mode = ""] = process.argv.slice(2);
const journal = openJournal<{ name: string; padding: string }>({ dir });
const burst = mode === "burst" ? 10 : 1;
for (let done = 0; done < Number(count); done += burst) {
  await Promise.all(
    Array.from({ length: burst }, async (_, index) => {
      const record = {
        name: `${name}-${done + index + 1}`,
        padding: "x".repeat(((done + index) * 37) % 900),
      };
      await journal.append(record);
      writeSync(1, `${record.name}\n`);
    }),
  );
}
await journal.close();
