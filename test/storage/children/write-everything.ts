// Creates every kind of store under a given umask.

import { join } from "node:path";

import { Secret } from "#src/contract/secret.ts";
import { openProfiles } from "#src/storage/documents/profiles.ts";
import { openVault } from "#src/vault/vault.ts";
import { intent } from "../entries.ts";
import { noDamage } from "../no-damage.ts";
import { historyIn } from "../open-history.ts";
import { runsIn } from "../open-runs.ts";
import { header, item } from "../run-samples.ts";

const [home = "", umask = ""] = process.argv.slice(2);
process.umask(Number.parseInt(umask, 8));

const profiles = openProfiles({ onProblem: noDamage, path: join(home, "config/deep/profiles.json") });
const profile = {
  name: "test",
  environment: "TEST",
  baseUrl: "https://check.example",
  projectsUrl: "https://projects.example",
  recipe: "none",
  amountUnit: "minor",
  credentialWaitS: 1,
} as const;
await profiles.put(profile);
await profiles.put({ ...profile, name: "second" });

// Left open, so that its log lies beside it.
await historyIn(join(home, "data")).intend(intent("a"));
await (await runsIn(join(home, "data")).create(header("a1"))).intend(item(1), 1);

const vault = await openVault({
  onProblem: noDamage,
  documentPath: join(home, "data/vault.json"),
  keyPath: join(home, "state/vault.key"),
  newId: () => "entry",
});
await vault.put({
  kind: "integration_key",
  profile: "test",
  companyId: "company",
  keyId: "key",
  algorithm: "hmac-sha256",
  projectsUrl: "https://projects.example",
  secret: new Secret("0123456789abcdef"),
});
// Without a farewell of the database, which would take its log away.
process.kill(process.pid, "SIGKILL");
