// The yardstick of the sandbox's bench: a Fastify route that parses JSON and answers JSON, and nothing else. Prints its port.

import type { AddressInfo } from "node:net";
import fastify from "fastify";

const app = fastify();
app.post("/v1/check", () => ({
  status: "success",
  code: "pass",
  message: "Continue processing: no rule had an objection; 3 rules not evaluated for lack of data.",
}));
await app.listen({ host: "127.0.0.1", port: 0 });
console.log(String((app.server.address() as AddressInfo).port));
process.on("SIGTERM", () => process.exit(0));
