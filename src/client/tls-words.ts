// Sentences for TLS failures, by error code.

export interface TlsWords {
  /** Continues "because". */
  readonly what: string;
  readonly advice: string;
}

const ADD_AUTHORITY =
  "if the service uses a private certificate authority, add its certificate to the profile with --ca";

const CLOCK = "check the local clock, then ask the service for a valid certificate";

const WORDS: ReadonlyMap<string, TlsWords> = new Map([
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    {
      what: "its certificate is self-signed",
      advice: "if you trust this certificate, add it to the profile with --ca",
    },
  ],
  [
    "SELF_SIGNED_CERT_IN_CHAIN",
    { what: "its certificate is from an authority that this machine does not trust", advice: ADD_AUTHORITY },
  ],
  ["UNABLE_TO_GET_ISSUER_CERT", { what: "the issuer of its certificate is unknown", advice: ADD_AUTHORITY }],
  [
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    { what: "the issuer of its certificate is unknown", advice: ADD_AUTHORITY },
  ],
  [
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    { what: "the issuer of its certificate is unknown", advice: ADD_AUTHORITY },
  ],
  ["CERT_UNTRUSTED", { what: "this machine does not trust its certificate", advice: ADD_AUTHORITY }],
  ["CERT_HAS_EXPIRED", { what: "its certificate has expired", advice: CLOCK }],
  ["CERT_NOT_YET_VALID", { what: "its certificate is not valid yet", advice: CLOCK }],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    { what: "its certificate is for another name", advice: "check the address in the profile" },
  ],
  [
    "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    {
      what: "it supports no TLS version that verdict accepts",
      advice: "ask the service for TLS 1.2 or newer",
    },
  ],
  [
    "ERR_SSL_UNSUPPORTED_PROTOCOL",
    {
      what: "it supports no TLS version that verdict accepts",
      advice: "ask the service for TLS 1.2 or newer",
    },
  ],
  [
    "ERR_SSL_WRONG_VERSION_NUMBER",
    {
      what: "the service does not use TLS on this port",
      advice: "check the port and that the address speaks https",
    },
  ],
  [
    "ERR_SSL_PACKET_LENGTH_TOO_LONG",
    {
      what: "the service does not use TLS on this port",
      advice: "check the port and that the address speaks https",
    },
  ],
  [
    "ERR_SSL_HTTP_REQUEST",
    {
      what: "the service does not use TLS on this port",
      advice: "check the port and that the address speaks https",
    },
  ],
  [
    "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE",
    {
      what: "verdict and the service have no common cipher",
      advice: "ask the operator of the service which ciphers it accepts",
    },
  ],
]);

/** @param code of Node's or OpenSSL's error */
export function tlsWords(code: string): TlsWords {
  return WORDS.get(code) ?? { what: "TLS failed", advice: "check that the address speaks https" };
}
