// What is pasted as a payment: JSON, or a curl command with JSON in its body.

import { callsCurl, parseCurl } from "#src/replay/imports/curl-command.ts";
import { readShellCommand } from "#src/replay/imports/shell-command.ts";

/** `json` throws Fault("bad_input") for a curl command without one body that can be read. */
export function pastedPayload(text: string): { readonly isCurl: boolean; json(): string } {
  const isCurl = callsCurl(readShellCommand(text.trimStart(), 0).words);
  return { isCurl, json: () => (isCurl ? parseCurl(text.trimStart()) : text) };
}
