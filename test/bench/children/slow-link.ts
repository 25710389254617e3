// The way to a server as it is on a network: everything arrives later. Arguments: port of the server; ms each way. Prints its port.

import { startCuttingProxy } from "../../deep/valkey/cutting-proxy.ts";

const [port, delayMs] = process.argv.slice(2).map(Number);
const link = await startCuttingProxy({ host: "127.0.0.1", port: port! }, delayMs);
console.log(String(link.port));
process.on("SIGTERM", () => process.exit(0));
