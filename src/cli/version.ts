// verdict version: the versions and the platform, as a report of a fault needs them.

import { VERSION } from "#src/app/version.ts";
import type { CommandRun } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import type { Json } from "./option-specs.ts";

export const version: CommandRun<Json> = ({ options, output }) => {
  const { versions, platform, arch } = process;
  if (options.json) output.json({ schema: 1, verdict: VERSION, node: versions.node, platform, arch });
  else output.line(`verdict ${VERSION} on Node ${versions.node}, ${platform} ${arch}`);
  return Promise.resolve(EXIT.done);
};
