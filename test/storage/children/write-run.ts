// Sends the items 1, 2, ... of a run into nothing, `count` of them or until killed, and goes on with the run where there is one.
// Prints each step once it is durable, `resend` for the intent of an item that a session before certainly never sent, and a
// refusal, after which it goes on with the next item. With "log" each intent is printed with the size of the log behind it.

import { statSync, writeSync } from "node:fs";
import { join } from "node:path";

import { Fault } from "#src/contract/fault.ts";
import { runsIn } from "../open-runs.ts";
import { header, item, result, SUMMARY } from "../run-samples.ts";

const [dir = "", id = "", count = "0", mode = ""] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);
const attempt = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    say(`refused ${error.code} ${error.message}`);
  }
};

await attempt(async () => {
  const runs = runsIn(dir);
  const known = await runs.find(id);
  const journal = known === null ? await runs.create(header(id)) : await runs.resume(id);
  const send = async (seq: number): Promise<void> => {
    const each = item(seq, { origin: `day.ndjson:${seq} ${"x".repeat((seq * 37) % 700)}` });
    if ((await journal.findSent([each])).has(seq)) return;
    await journal.intend(each, seq);
    const size = mode === "log" ? ` ${statSync(join(dir, "runs.db-wal")).size}` : "";
    say(`${seq <= journal.highest ? "resend" : "intent"} ${seq}${size}`);
    // Every seventh one never leaves.
    await journal.settle(seq, result(seq % 7 === 0 && seq > journal.highest ? "not_sent" : "answered"));
    say(`${seq % 7 === 0 && seq > journal.highest ? "unsent" : "outcome"} ${seq}`);
  };
  // Three at a time, as a replay has several items under way.
  for (let seq = 1; seq <= Number(count); seq += 3) {
    const width = mode === "log" ? 1 : 3;
    const seqs = [seq, seq + 1, seq + 2].filter((each) => each <= Number(count));
    if (width === 1) for (const each of seqs) await attempt(() => send(each));
    else await Promise.all(seqs.map((each) => attempt(() => send(each))));
  }
  if (mode === "log") return;
  await journal.finish("complete", SUMMARY);
  await journal.close();
  await runs.close();
});
// Without a farewell of the database, which would take its log away.
if (mode === "log") process.kill(process.pid, "SIGKILL");
