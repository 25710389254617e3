// A recorded exchange as lines in the manner of "curl -v": `>` for what was sent, `<` for what came.

import type { RecordedExchange } from "#src/contract/records/exchange.ts";
import { safe } from "#src/display/safe.ts";

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
