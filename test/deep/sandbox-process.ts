// A sandbox as a process of its own, which a test can kill.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { administration, type Administered, type Administration } from "../sandbox/sandbox-under-test.ts";

export interface Started extends Administered, Administration {
  readonly child: ChildProcess;
}

/** Starts one over a folder; it is killed when the test ends. */
export async function startSandboxProcess(dir: string): Promise<Started> {
  const program = fileURLToPath(new URL("../sandbox/sandbox-child.ts", import.meta.url));
  const child = spawn(process.execPath, [program, dir], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const endpoint = JSON.parse(line.toString("utf8")) as Administered;
  return { ...endpoint, ...administration(endpoint), child };
}
