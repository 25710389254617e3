// Reads asciicast v3 as its published form has it, and no other way, and plays it through a terminal emulator.

import headless from "@xterm/headless";

export interface CastEvent {
  /** Milliseconds from the beginning. */
  readonly at: number;
  readonly code: "o" | "m" | "r" | "x";
  readonly data: string;
}

export interface ReadCast {
  readonly header: Readonly<Record<string, unknown>> & {
    readonly term: { readonly cols: number; readonly rows: number };
  };
  readonly events: readonly CastEvent[];
}

const CODES = /^[omrx]$/;

/** @throws Error naming the line that is not as it should be */
export function readCast(bytes: Uint8Array): ReadCast {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  if (!text.endsWith("\n")) throw new Error("The last line does not end.");
  const [first = "", ...lines] = text.slice(0, -1).split("\n");
  const header = JSON.parse(first) as ReadCast["header"];
  const { version, term, title, ...rest } = header as unknown as Record<string, unknown>;
  if (version !== 3 || typeof title !== "string") throw new Error(`That is no header: ${first}`);
  if (Object.keys(rest).length > 0) throw new Error(`The header tells more than it should: ${first}`);
  const { cols, rows, ...others } = term as Record<string, unknown>;
  if (![cols, rows].every((each) => Number.isInteger(each) && Number(each) > 0))
    throw new Error(`No size: ${first}`);
  if (Object.keys(others).length > 0) throw new Error(`The header tells more than it should: ${first}`);
  let at = 0;
  const events = lines.map((line, index): CastEvent => {
    const parts = JSON.parse(line) as unknown[];
    const [interval, code, data] = parts;
    const isRight =
      parts.length === 3 &&
      typeof interval === "number" &&
      interval >= 0 &&
      typeof code === "string" &&
      CODES.test(code) &&
      typeof data === "string" &&
      data.isWellFormed() &&
      // Nothing unseen stands there as it is.
      !/[\p{C}\p{Zl}\p{Zp}]/u.test(line) &&
      (code !== "r" || /^[1-9]\d*x[1-9]\d*$/.test(data)) &&
      (code !== "x" || (/^\d+$/.test(data) && index === lines.length - 1));
    if (!isRight) throw new Error(`Line ${index + 2} is no event: ${line}`);
    at += Math.round(interval * 1_000);
    return { at, code: code as CastEvent["code"], data };
  });
  return { header, events };
}

/** The visible rows after each event, without trailing blanks. */
export async function playCast({ header, events }: ReadCast): Promise<string[]> {
  const { cols, rows } = header.term;
  // As players do: a line feed is no carriage return.
  const emulator = new headless.Terminal({ cols, rows, allowProposedApi: true, convertEol: false });
  const screens: string[] = [];
  for (const { code, data } of events) {
    if (code === "o") await new Promise<void>((resolve) => emulator.write(data, resolve));
    if (code === "r") emulator.resize(...(data.split("x").map(Number) as [number, number]));
    const { active } = emulator.buffer;
    const lines = Array.from({ length: emulator.rows }, (_, row) =>
      active.getLine(active.viewportY + row)!.translateToString(true),
    );
    screens.push(lines.join("\n"));
  }
  emulator.dispose();
  return screens;
}

/** The last screen before each marker, and at the end: by the label of the marker before it, "" for none. */
export async function lastScreens(cast: ReadCast): Promise<Map<string, string>> {
  const screens = await playCast(cast);
  const last = new Map<string, string>();
  let label = "";
  cast.events.forEach(({ code, data }, index) => {
    if (code === "m") label = data;
    else last.set(label, screens[index]!);
  });
  return last;
}
