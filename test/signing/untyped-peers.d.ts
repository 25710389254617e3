// The parts of untyped packages that the tests use.

declare module "aws4" {
  interface Request {
    readonly host: string;
    readonly path: string;
    readonly method: string;
    readonly service: string;
    readonly region: string;
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly extraHeadersToIgnore: Readonly<Record<string, true>>;
  }
  const aws4: {
    sign(
      request: Request,
      credentials: { readonly accessKeyId: string; readonly secretAccessKey: string },
    ): { readonly headers: Readonly<Record<string, string>> };
  };
  export default aws4;
}

declare module "@hapi/hawk" {
  interface Credentials {
    readonly id: string;
    readonly key: string;
    readonly algorithm: "sha256";
  }
  const hawk: {
    client: {
      header(
        url: string,
        method: string,
        options: {
          readonly credentials: Credentials;
          readonly payload: string;
          readonly contentType: string;
          readonly timestamp: number;
        },
      ): { readonly header: string };
    };
    server: {
      authenticate(
        request: {
          readonly method: string;
          readonly url: string;
          readonly host: string;
          readonly port: number;
          readonly authorization: string;
          readonly contentType: string;
        },
        find: (id: string) => Credentials | null,
        options: { readonly payload: string; readonly localtimeOffsetMsec: number },
      ): Promise<{ readonly artifacts: { readonly id: string } }>;
    };
  };
  export default hawk;
}
