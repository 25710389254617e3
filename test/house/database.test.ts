// One module opens databases: a second one would drop the locks that SQLite holds for the process.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MODULE = "src/storage/database/database.ts";

const sources = ["src", "screens"].flatMap((folder) =>
  readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`),
);

it("no module but one imports SQLite, but for its types", () => {
  const importing = sources.filter((path) =>
    /^import (?!type )[^;]*"node:sqlite"|import\("node:sqlite"\)|require\("node:sqlite"\)/m.test(
      readFileSync(ROOT + path, "utf8"),
    ),
  );
  expect(importing).toEqual([MODULE]);
});
