// The file with the integration keys of a standalone sandbox, for its operator.

import { join } from "node:path";
import { readWhole, replaceDurably } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { SandboxState } from "./sandbox-state.ts";

const KEYS_FILE = "integration-keys.json";

/**
 * Writes it once, at the first start (spec 5.4), readable by its owner alone.
 * @param anew true where the state is not the folder's: then what is there may be of another one
 * @returns its path
 */
export async function writeIntegrationKeys(
  stateDir: string,
  state: SandboxState,
  anew: boolean,
): Promise<string> {
  const path = join(stateDir, KEYS_FILE);
  if (!anew && (await readWhole(path, nodeFileSystem)) !== null) return path;
  const companies = (await state.accounts.companies()).map(({ companyId, integrationKeys }) => ({
    company_id: companyId,
    integration_keys: integrationKeys.map(({ keyId, secret, algorithm }) => ({
      key_id: keyId,
      secret: secret.expose(),
      algorithm,
    })),
  }));
  const text = `${JSON.stringify({ companies }, null, 2)}\n`;
  await replaceDurably(path, Buffer.from(text), nodeFileSystem, null);
  return path;
}
