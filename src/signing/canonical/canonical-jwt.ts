// A JSON Web Token: header and claims in base64url (RFC 7515 section 7.1), read back from the token that was sent.

import type { WebToken } from "#src/signing/recipes/recipe.ts";
import { mergeValues } from "#src/signing/recipes/template-values.ts";
import { fillTemplate, readTemplate } from "#src/signing/recipes/template.ts";
import type { CanonicalStyle } from "./canonical-style.ts";
import { sortedHeaders } from "./canonical-template.ts";

const PARTS = ["header", "claims"] as const;

export const webToken: CanonicalStyle<WebToken> = {
  ...sortedHeaders(({ header, claims }) => [header, claims]),

  /** @param text the token without its signature */
  readParams(canonical, text) {
    const parts = text.split(".");
    if (parts.length !== PARTS.length) return "is no token of three parts";
    const values = new Map<string, string>();
    for (const [at, part] of PARTS.entries()) {
      const read = readTemplate(canonical[part], Buffer.from(parts[at]!, "base64url").toString("latin1"));
      const clash = typeof read === "string" ? read : mergeValues(values, read);
      if (clash !== null) return `has a ${part} that ${clash}`;
    }
    return values;
  },

  write(canonical, _message, _components, lookup) {
    const stringToSign = PARTS.map((part) => {
      const text = fillTemplate(canonical[part], lookup);
      return Buffer.from(text, "latin1").toString("base64url");
    }).join(".");
    return { stringToSign, canonicalRequest: null };
  },
};
