// Reports the requests of a call, and a recorded exchange as lines in the manner of "curl -v": `>` for what was sent, `<` for what came.

import type { RecordedExchange, AttemptEvent } from "#src/contract/records/exchange.ts";
import { safe } from "#src/display/safe.ts";
import type { Output } from "./output.ts";

export function attemptReporter(output: Output, isVerbose: boolean): (event: AttemptEvent) => void {
  return (event) => {
    if (event.type === "waiting") {
      const text = `Try ${event.attempt} of ${event.most} in ${(event.ms / 1000).toFixed(1)} s`;
      if (isVerbose) output.complain(`* ${text}`);
      // In a log the command would be silent for seconds.
      else if (!output.showsProgress) output.note(`${text}.`);
      output.progress(text);
    } else if (isVerbose) {
      const recorded = event.record();
      output.complain(`* Try ${event.attempt}: ${recorded.url}`);
      if (!event.sent) output.complain("* Not sent");
      else for (const line of exchangeLines(recorded, event.body)) output.complain(line);
    }
  };
}

/** Longest line; a body is longer only without line feeds. */
const MOST = 70_000;

/** @param body of the request */
export function exchangeLines({ method, url, headers, answer }: RecordedExchange, body: string): string[] {
  const { pathname, search } = new URL(url);
  return [
    ...message(">", `${method} ${pathname}${search} HTTP/1.1`, headers, body),
    ...(answer === null
      ? ["< (no complete answer came)"]
      : message("<", `HTTP/1.1 ${answer.status}`, answer.headers, answer.body)),
  ];
}

function message(sign: string, start: string, headers: RecordedExchange["headers"], body: string): string[] {
  const lines = [start, ...headers.map(([name, value]) => `${name}: ${value}`), "", ...body.split("\n")];
  if (body === "") lines.length -= 2;
  return lines.map((line) => `${sign} ${safe(line, { max: MOST })}`.trimEnd());
}
