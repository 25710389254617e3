// A template: one payload with {{column}} in its texts, which every row of a table fills.

import { badInput, whole } from "#src/contract/fault.ts";
import { isJsonObject } from "#src/contract/fields/body-path.ts";
import { checkFields } from "#src/contract/fields/check-fields.ts";
import { conversionOf, type NumberReading } from "./conversion.ts";
import { columnTo, jsonObject, targetsOf, type Assignment } from "./import-map.ts";
import { shownWord } from "./request-body.ts";

const PLACE = /\{\{([^{}]+)\}\}/g;
const WHOLE = /^\{\{([^{}]+)\}\}$/;

/**
 * Reads a template: a check request, or an envelope. A text that is `{{column}}` alone becomes what its field holds, a number where
 * that is one, and may convert as a map does: `{{Total:major}}`.
 * @param source its name in messages
 * @throws Fault("bad_input") for anything but a payload with places for columns
 */
export function readTemplate(
  bytes: Uint8Array,
  source: string,
  reading: NumberReading,
): readonly Assignment[] {
  const template = jsonObject(bytes, source, `${source} is no template; give a payload as a JSON object.`);
  const targets = new Set(targetsOf(checkFields(reading.numbering, reading.unit)));
  const found: Assignment[] = [];
  const add = (path: string, value: unknown): void => {
    const target = path.replace(/^request\./, "");
    if (Array.isArray(value) && target === "tags") return value.forEach((tag) => add(path, tag));
    if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) add(path === "" ? key : `${path}.${key}`, inner);
    } else if (target !== "$schema" && value !== null) {
      if (!targets.has(target) || typeof value === "object") {
        throw badInput`${source}: ${shownWord(path)} is no field of a payload; the fields are ${whole([...targets].join(", "))}.`;
      }
      found.push(filled(target, typeof value === "string" ? value : JSON.stringify(value), reading));
    }
  };
  add("", template);
  if (found.some(({ columns }) => columns.length > 0)) return found;
  throw badInput`${source} has no place for a column, so that all payments would be the same; write for example "order_id": "{{order}}".`;
}

function filled(target: string, text: string, reading: NumberReading): Assignment {
  const whole = WHOLE.exec(text)?.[1]?.trim();
  if (whole === undefined) {
    const columns = [...text.matchAll(PLACE)].map(([, column]) => column!.trim());
    return {
      columns,
      text: (cells) => text.replaceAll(PLACE, (_, column: string) => cells.get(column.trim()) ?? ""),
      target,
      conversion: null,
    };
  }
  const colon = whole.indexOf(":");
  const column = colon < 0 ? whole : whole.slice(0, colon).trim();
  const conversion = colon < 0 ? null : conversionOf(target, whole.slice(colon + 1).trim(), reading);
  return columnTo(column, target, conversion);
}
