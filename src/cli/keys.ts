// verdict keys: lists the key bindings of the console with their names for overrides.

import { safe } from "#src/display/safe.ts";
import type { CommandRun, KeyRow, KeyTable } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { layOut } from "./table.ts";
import type { Json } from "./option-specs.ts";

const SCHEMA = 1;

export const keys: CommandRun<Json> = async ({ options, output, keyTable }) => {
  const table = await keyTable();
  if (options.json) {
    output.json(keysJson(table));
    return table.problem === null ? EXIT.done : EXIT.usage;
  }
  const { style } = output;
  const rows = table.rows.map((row) => [row.id, row.shown.join(" "), what(row)]);
  const [, ...lines] = layOut(style, ["", "", ""], rows);
  let group = "";
  for (const [index, row] of table.rows.entries()) {
    if (row.group !== group) {
      if (group !== "") output.line();
      group = row.group;
      output.line(style.paint("heading", group));
    }
    output.line(`  ${lines[index]!.trimEnd()}`);
  }
  if (table.problem === null) return EXIT.done;
  output.complain(safe(table.problem, { max: 1_000 }));
  return EXIT.usage;
};

function what({ label, standard }: KeyRow): string {
  return standard === null ? label : `${label} (your own; default ${standard.join(" ")})`;
}

/** What `verdict keys --json` prints. */
function keysJson({ rows, problem }: KeyTable) {
  return {
    schema: SCHEMA,
    problem,
    keys: rows.map(({ id, group, label, keys: names, standard }) => ({
      id,
      group,
      label,
      keys: names,
      default_keys: standard ?? names,
      overridden: standard !== null,
    })),
  };
}
