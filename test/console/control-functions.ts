// Every control function that a terminal emulator understands in what is written to it, by handlers on all of them.

import type { Terminal } from "@xterm/headless";

/** Highest number of an operating system command that anything is known to obey, and some. */
const OSC_NUMBERS = 10_000;

const between = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));

const PREFIXES = ["", ...between(0x3c, 0x3f)];
const INTERMEDIATES = ["", ...between(0x20, 0x2f)];

/**
 * Writes down what the emulator obeys from now on, each once: `CSI ?25h`, `OSC 52;c;eA==`, `ESC 7`, `DCS q...`.
 * Handlers are on every sequence that its parser can tell, known or not; it still does what it is told.
 */
export function watchControlFunctions({ parser }: Terminal): ReadonlySet<string> {
  const met = new Set<string>();
  const meet = (what: string): boolean => {
    met.add(what);
    return false;
  };
  const written = (parameters: readonly (number | number[])[]): string =>
    parameters.map((each) => (Array.isArray(each) ? `:${each.join(":")}` : String(each))).join(";");
  for (const intermediates of INTERMEDIATES) {
    for (const prefix of PREFIXES) {
      for (const final of between(0x40, 0x7e)) {
        const id = {
          ...(prefix === "" ? {} : { prefix }),
          ...(intermediates === "" ? {} : { intermediates }),
          final,
        };
        parser.registerCsiHandler(id, (given) =>
          meet(`CSI ${prefix}${written(given)}${intermediates}${final}`),
        );
        parser.registerDcsHandler(id, (data, given) =>
          meet(`DCS ${prefix}${written(given)}${intermediates}${final}${data}`),
        );
      }
    }
    for (const final of between(0x30, 0x7e)) {
      // These two begin a longer sequence, and one ends a string: each comes to its own handler.
      if (intermediates === "" && ["[", "]", "P", "\\"].includes(final)) continue;
      const id = { ...(intermediates === "" ? {} : { intermediates }), final };
      parser.registerEscHandler(id, () => meet(`ESC ${intermediates}${final}`));
    }
  }
  for (let number = 0; number <= OSC_NUMBERS; number += 1) {
    parser.registerOscHandler(number, (data) => meet(`OSC ${number};${data}`));
  }
  return met;
}
