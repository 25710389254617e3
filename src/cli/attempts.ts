// Reports the requests of a call: with --verbose each exchange, and retries on the progress line of a terminal.

import type { AttemptEvent } from "#src/contract/records/exchange.ts";
import { exchangeLines } from "#src/cli/exchange-lines.ts";
import type { Output } from "./output.ts";

export function attemptReporter(output: Output, isVerbose: boolean): (event: AttemptEvent) => void {
  return (event) => {
    if (event.type === "waiting") {
      const text = `Try ${event.attempt} of ${event.most} in ${(event.ms / 1000).toFixed(1)} s`;
      if (isVerbose) output.complain(`* ${text}`);
      output.progress(text);
    } else if (isVerbose) {
      const recorded = event.record();
      output.complain(`* Try ${event.attempt}: ${recorded.url}`);
      if (!event.sent) output.complain("* Not sent");
      else for (const line of exchangeLines(recorded, event.body)) output.complain(line);
    }
  };
}
