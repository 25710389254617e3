// A sandbox in a process of its own, to be killed: `node sandbox-child.ts FOLDER`. Prints its endpoint as one line.

import { runSandbox } from "#src/sandbox/run-sandbox.ts";
import { testRules } from "./rules.ts";
import { sandboxOptions } from "./sandbox-options.ts";

const running = await runSandbox({ ...sandboxOptions(process.argv[2]!), ruleSet: await testRules() });
const { port, adminPort, adminToken } = running;
process.stdout.write(`${JSON.stringify({ port, adminPort, adminToken })}\n`);
