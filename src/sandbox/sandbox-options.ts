// The options of a sandbox, and the handle of a running one.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { TlsFiles } from "#src/sandbox/http/certificate.ts";
import type { DocumentedOptions } from "#src/sandbox/service/openapi-route.ts";
import type { SandboxLimits } from "#src/sandbox/state/sandbox-limits.ts";
import type { SandboxLog } from "#src/sandbox/state/sandbox-log.ts";
import type { TenantOptions } from "#src/sandbox/state/tenant.ts";
import type { StateServer } from "#src/sandbox/valkey/state-address.ts";
import type { ProofKey } from "#src/signing/sandbox-proof.ts";

export interface SandboxOptions
  extends DocumentedOptions, Pick<TenantOptions, "seed" | "startAt" | "rulesFile" | "ruleSet"> {
  /** Makes a page of the OpenAPI document, which is served then. */
  readonly documentPage?: (document: JsonObject) => Promise<string>;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Of a plain server when absent. Read again by `reloadTls`. */
  readonly tls?: TlsFiles | undefined;
  /** 0: any free one; null: there is no administrative plane. */
  readonly adminPort: number | null;
  /** Where the administrative plane is for other machines, by TLS; 127.0.0.1 when absent. */
  readonly adminHost?: string | undefined;
  /** Private file with a token of the administrative plane. With `tls` the plane of that token speaks TLS, and is another than this machine's. */
  readonly adminTokenFile?: string | undefined;
  /** Created when missing; used by one instance at a time. With `server` it holds this worker's own files alone. */
  readonly stateDir: string;
  /** Where the state lies in place of the directory, for any number of workers. */
  readonly server?: StateServer | undefined;
  /** True: ends by itself 10 s after its last lease, or after its start when no lease ever comes. */
  readonly embedded: boolean;
  /** True: the state directory is removed at the end, and nothing waits for the disk. */
  readonly ephemeral: boolean;
  readonly log: SandboxLog;
  /** Companies made at the first start; 1 when absent. */
  readonly companies?: number | undefined;
  /** Wait before an embedded sandbox without leases ends; 10 s when absent. */
  readonly leaseGraceMs?: Milliseconds | undefined;
  /** For how long `leave` continues to serve; 0 when absent. */
  readonly leaveMs?: Milliseconds | undefined;
  readonly limits?: Partial<SandboxLimits> | undefined;
  /** Real time in ms since the epoch; the system's clock when absent. */
  readonly realNow?: () => Milliseconds;
}

export interface RunningSandbox extends ProofKey {
  readonly port: number;
  /** Of this machine's administrative plane; 0 when it is off. */
  readonly adminPort: number;
  /** Of the one by TLS; null without. */
  readonly secureAdminPort: number | null;
  readonly instance: string;
  /** Standalone only: the 0600 file with the integration keys made at the first start. */
  readonly keysFile: string | null;
  /** Drains, flushes and stops; later calls share the same promise. */
  stop(): Promise<void>;
  /** Stops once balancers had time to see that /ready is refused: until then it serves as before. */
  leave(): Promise<void>;
  /** Reads the certificate and its key again, for new connections. A pair that cannot be used changes nothing but the log. */
  reloadTls(): void;
  /** Resolves when it has stopped, by `stop`, the administrative plane or the last lease. */
  readonly ended: Promise<void>;
}
