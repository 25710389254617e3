// Tenants of two workers are as far apart as those of one process, whichever worker a call reaches.

import { describe } from "vitest";
import { ADMIN } from "#src/contract/wire/sandbox-wire.ts";
import { isolation } from "../../sandbox/isolation.ts";
import { send } from "../../sandbox/sandbox-under-test.ts";
import { isWithoutServer } from "./server.ts";
import { startWorkers } from "./workers.ts";

describe.skipIf(isWithoutServer())("on a server", () => {
  isolation("two workers in turn", async (options) => {
    const workers = await startWorkers();
    const both = [await workers.start(options), await workers.start(options)] as const;
    let turn = 0;
    const next = () => both[(turn += 1) % 2]!;
    return {
      ...both[0],
      adminToken: workers.adminToken,
      // Each worker gathers the hits of its rules until somebody reads them.
      async calm(tenant: string) {
        const headers = { authorization: `Bearer ${workers.adminToken}`, "x-verdict-tenant": tenant };
        for (const { adminPort } of both) await send(adminPort, { path: ADMIN.rules, headers });
      },
      get port() {
        return next().port;
      },
      get adminPort() {
        return next().adminPort;
      },
    };
  });
});
