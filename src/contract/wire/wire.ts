// Names on the wire: endpoints, headers and bodies of the three calls (spec sections 2 and 4).

export const ENDPOINTS = {
  check: { method: "POST", path: "/v1/check", host: "base" },
  register: { method: "POST", path: "/projects", host: "projects" },
  credential: { method: "POST", path: "/projects/credential", host: "projects" },
} as const;

/** Answered without a signature, to GET and HEAD: 200 while the service can decide, else 503. */
export const PROBES = ["/health", "/ready"] as const;

/** One of the three calls of the service (spec section 4). */
export type Call = keyof typeof ENDPOINTS;

export const HEADER = {
  keyId: "x-key-id",
  projectId: "x-project-id",
  companyId: "x-company-id",
  authorization: "authorization",
  contentType: "content-type",
  requestId: "x-request-id",
  /** id of the decision behind an answer; the sandbox only */
  decision: "x-verdict-decision",
  /** `1` on every answer of the sandbox */
  sandbox: "x-verdict-sandbox",
  /** the sandbox's virtual time, ISO 8601; in a check the time by which the sandbox is to decide it */
  virtualTime: "x-verdict-time",
  /** turn of a check in its run: see RunTurn */
  turn: "x-verdict-turn",
  /** `1` where the sandbox gave the stored answer to an identical check */
  repeat: "x-verdict-repeat",
  /** score of the sandbox's decision */
  score: "x-verdict-score",
  /** codes of the live rules that hit, the decisive one first, then by weight, with spaces between them; absent for none */
  rules: "x-verdict-rules",
  /** tenant of the key that signed the request, on the answers of a tenant other than the default one; names one on the administrative plane */
  tenant: "x-verdict-tenant",
  /** challenge by which a sandbox proves its identity, and its answer */
  challenge: "x-verdict-challenge",
  proof: "x-verdict-proof",
} as const;

/** Of connections in both directions; fixed here, because NODE_OPTIONS could lower it. */
export const OLDEST_TLS = "TLSv1.2";

export const JSON_MEDIA_TYPE = "application/json";

/** Headers of every request, in addition to those of identity and signature. */
export const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  [HEADER.contentType]: JSON_MEDIA_TYPE,
  accept: JSON_MEDIA_TYPE,
  "accept-encoding": "identity",
  "user-agent": "verdict",
};

/** Largest request body that is sent or accepted, and largest answer that is read, in bytes. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** Deepest nesting of JSON that is read or accepted. */
export const JSON_DEPTH_LIMIT = 16;

export const RISK_LEVELS = ["low", "medium", "high"] as const;

/** Risk level of a project (spec 2.5); high = riskier merchant = stricter decisions. */
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** HTTP status by error slug: `{"status":"error","error":<slug>,"message","request_id"}`. Not specified (spec section 7). */
export const ERROR_SLUGS = {
  invalid_json: 400,
  invalid_request: 400,
  card_data_refused: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  credential_not_ready: 404,
  project_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  project_exists: 409,
  credential_window_closed: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorSlug = keyof typeof ERROR_SLUGS;

/** Body of an error answer. It has no field `code`, which is reserved for recommendations. */
export interface ErrorBody {
  readonly status: "error";
  readonly error: ErrorSlug;
  readonly message: string;
  readonly request_id: string;
  /** which fields were wrong, where the fault lies in the body */
  readonly fields?: readonly { readonly path: string; readonly message: string }[];
}

/** Body of a check request (spec 2.1-2.3). The client warns about missing fields and sends it all the same. */
export interface CheckRequest {
  operation?: string;
  order_id?: string;
  amount?: number;
  currency?: number;
  description?: string;
  terminal_id?: string;
  payer?: {
    payer_ip?: string;
    email?: string;
    number_phone?: string;
    payer_id?: string;
  };
  card?: {
    holder?: string;
    bin_card?: number;
    cin_card?: number;
    expiration_month?: number;
    expiration_year?: number;
  };
}

/** Body of a registration (spec 2.5). */
export interface RegistrationRequest {
  merchant_id: string;
  name: string;
  description?: string;
  currency: number;
  risk_level: RiskLevel;
}

/** Body of a credential request (spec 2.7). */
export interface CredentialRequest {
  merchant_id: string;
  risk_level: RiskLevel;
}
