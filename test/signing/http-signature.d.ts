// The part of the untyped package `http-signature` that the tests use.

declare module "http-signature" {
  interface Parsed {
    readonly keyId: string;
    readonly algorithm: string;
  }
  const httpSignature: {
    parseRequest(
      request: {
        readonly method: string;
        readonly url: string;
        readonly httpVersion: string;
        readonly headers: Readonly<Record<string, string>>;
      },
      options: { readonly strict: boolean; readonly headers: readonly string[] },
    ): Parsed;
    verifyHMAC(parsed: Parsed, secret: string): boolean;
  };
  export default httpSignature;
}
