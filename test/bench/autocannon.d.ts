// What the bench uses of autocannon, which brings no types.

declare module "autocannon" {
  interface Client {
    setRequests(
      requests: readonly {
        readonly method: string;
        readonly path: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly body: Buffer;
      }[],
    ): void;
    /** @param ms from the request to the end of its answer */
    on(event: "response", listener: (status: number, bytes: number, ms: number) => void): void;
  }
  interface Result {
    /** In seconds. */
    readonly duration: number;
    readonly "2xx": number;
    readonly non2xx: number;
    readonly errors: number;
  }
  export default function autocannon(options: {
    readonly url: string;
    readonly connections: number;
    readonly amount: number;
    /** In ms, 1,000 by default. */
    readonly sampleInt: number;
    readonly setupClient: (client: Client) => void;
  }): Promise<Result>;
}
