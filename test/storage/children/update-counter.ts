// Adds 1 to the counter document, `count` times or until killed; prints each value once it is durable.

import { writeSync } from "node:fs";

import { openCounter } from "../counter.ts";

const [path = "", count = "0"] = process.argv.slice(2);
const counter = openCounter(path);
for (let done = 0; done < Number(count); done += 1) {
  writeSync(1, `${await counter.update((data) => (data.value += 1))}\n`);
}
