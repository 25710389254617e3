// The fields of a credential request (spec 2.7): they name the project that was registered.

import type { Field } from "./field.ts";
import { MERCHANT_ID_FIELD, RISK_LEVEL_FIELD } from "./registration-fields.ts";

/** Both fields of a credential request. */
export const CREDENTIAL_FIELDS: readonly Field[] = [MERCHANT_ID_FIELD, RISK_LEVEL_FIELD];
