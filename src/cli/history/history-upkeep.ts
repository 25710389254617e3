// verdict history verify and prune: whether every byte of the history is whole, and removing what is older than a day.

import { readBefore } from "#src/actions/history/find-history.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import type { Output } from "#src/cli/output.ts";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { counted } from "#src/display/count.ts";
import { formatDateTime } from "#src/display/time.ts";

const REDRAW_MS = 100;
const BAR = 30;

/** A bar that is redrawn as bytes or entries are done; nothing where nobody sees it. */
export function progressBar(output: Output, what: string): (done: number, all: number) => void {
  let drawnAt = -Infinity;
  return (done, all) => {
    const now = performance.now();
    if (!output.showsProgress || now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    const share = all === 0 ? 1 : Math.min(1, done / all);
    const full = Math.floor(share * BAR);
    output.progress(
      `${what} [${"#".repeat(full)}${".".repeat(BAR - full)}] ${String(Math.floor(share * 100)).padStart(3)}%`,
    );
  };
}

export const verify: CommandRun = async ({ context, options, output, signal }) => {
  const history = await (await context()).history();
  const isJson = options.flag("json");
  const totals = { segments: 0, bytes: 0, lines: 0, entries: 0, damagedBytes: 0, missing: 0, short: 0 };
  for await (const check of history.verify(progressBar(output, "Verifying the history"))) {
    if (signal.aborted) throw new Fault("interrupted", "Stopped; nothing was changed.");
    totals.segments += 1;
    totals.bytes += check.bytes;
    totals.lines += check.lines;
    totals.entries += check.entries;
    totals.damagedBytes += check.damaged.reduce((sum, { start, end }) => sum + end - start, 0);
    totals.missing += check.missing.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    if (check.endsEarly) totals.short += 1;
    const isWhole = check.damaged.length === 0 && check.missing.length === 0 && !check.endsEarly;
    if (isJson) {
      output.json({
        schema: 1,
        type: "segment",
        file: check.path,
        ok: isWhole,
        bytes: check.bytes,
        lines: check.lines,
        entries: check.entries,
        damaged: check.damaged.map(({ start, end }) => ({ from_byte: start, to_byte: end })),
        missing: check.missing.map(({ first, last }) => ({ from_line: first, to_line: last })),
        ends_early: check.endsEarly,
        in_use: check.inUse,
        index: check.index,
      });
      continue;
    }
    const path = escapeText(check.path);
    for (const { start, end } of check.damaged) {
      output.line(
        `${path}: ${end - start} damaged bytes from byte ${start} to ${end}; they are skipped, and reading keeps a copy in quarantine.`,
      );
    }
    for (const { first, last } of check.missing) {
      output.line(`${path}: the lines ${first} to ${last} are missing; look for them in a backup of yours.`);
    }
    if (check.endsEarly) {
      output.line(`${path} ends before its last record; look for it in a backup of yours.`);
    }
    if (check.index === "misfit") output.line(`${path}: the index does not fit; it is made anew by itself.`);
  }
  output.progress(null);
  const ok = totals.damagedBytes === 0 && totals.missing === 0 && totals.short === 0;
  if (isJson) {
    output.json({
      schema: 1,
      type: "summary",
      ok,
      segments: totals.segments,
      bytes: totals.bytes,
      lines: totals.lines,
      entries: totals.entries,
      damaged_bytes: totals.damagedBytes,
      missing_lines: totals.missing,
    });
  } else {
    const what = `${counted(totals.entries, "entry", "entries")} in ${counted(totals.segments, "segment")} (${sizeText(totals.bytes)})`;
    output.line(
      ok
        ? `The history is whole: ${what}; every line has its checksum and its place.`
        : `The history is damaged: ${what} were read, ${totals.damagedBytes} bytes were not, ${totals.missing} lines are missing, and ${counted(totals.short, "segment")} end early.`,
    );
  }
  return ok ? EXIT.done : EXIT.notWritten;
};

export const prune: CommandRun = async (invocation) => {
  const { context, options, output, signal } = invocation;
  const opened = await context();
  const before = readBefore(opened, options.text("before")!);
  const dryRun = options.flag("dryRun");
  const isJson = options.flag("json");
  const history = await opened.history();
  const onProgress = progressBar(output, "Reading the history");
  const look = async (dry: boolean): Promise<NonNullable<Awaited<ReturnType<typeof history.prune>>>> => {
    const pruned = await history.prune({ before, dryRun: dry, signal, onProgress });
    output.progress(null);
    if (pruned !== null) return pruned;
    throw new Fault("storage", "Another process is pruning the history; try again when it has ended.");
  };
  const day = formatDateTime(before);
  let pruned = await look(true);
  if (!dryRun && pruned.removed > 0) {
    const question = `Remove ${counted(pruned.removed, "entry", "entries")} made before ${day} for good, and keep ${pruned.kept}?`;
    if (!(await confirm(invocation, question))) {
      output.line("Nothing was removed.");
      return EXIT.done;
    }
    pruned = await look(false);
  }
  if (isJson) {
    output.json({
      schema: 1,
      before: new Date(before).toISOString(),
      dry_run: dryRun,
      removed: pruned.removed,
      kept: pruned.kept,
      freed_bytes: pruned.freedBytes,
      in_use: pruned.inUse,
      quarantined: pruned.quarantined,
    });
    return EXIT.done;
  }
  const entries = counted(pruned.removed, "entry", "entries");
  if (pruned.removed === 0) output.line(`No entry was made before ${day}; nothing was removed.`);
  else if (dryRun) {
    output.line(
      `${entries} made before ${day} would be removed (about ${sizeText(pruned.freedBytes)}), and ${pruned.kept} kept.`,
    );
  } else {
    output.line(
      `${entries} made before ${day} are removed (${sizeText(pruned.freedBytes)}), and ${pruned.kept} are kept.`,
    );
  }
  if (pruned.inUse > 0) {
    output.complain(
      `${counted(pruned.inUse, "older entry stays", "older entries stay")}, because another session is writing to their file; prune again once it has ended.`,
    );
  }
  if (pruned.quarantined > 0) {
    output.complain(
      `The folder quarantine of the history holds ${counted(pruned.quarantined, "damaged stretch", "damaged stretches")}, which may contain parts of old entries; remove what you no longer need.`,
    );
  }
  return EXIT.done;
};

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const mib = bytes / 1024 ** 2;
  return mib < 1 ? `${Math.round(bytes / 1024)} KiB` : `${mib.toFixed(mib < 10 ? 1 : 0)} MiB`;
}
