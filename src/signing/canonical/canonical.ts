// Table of canonical styles, which build the string to sign; shared by signing and verifying.

import type { Canonical } from "#src/signing/recipes/recipe.ts";
import { headerLines } from "./canonical-header-lines.ts";
import { webToken } from "./canonical-jwt.ts";
import { messageSignature } from "./canonical-rfc9421.ts";
import type { CanonicalStyle } from "./canonical-style.ts";
import { textTemplate, twoStage } from "./canonical-template.ts";

const STYLES: { readonly [S in Canonical["style"]]: CanonicalStyle<Extract<Canonical, { style: S }>> } = {
  "header-lines": headerLines,
  template: textTemplate,
  rfc9421: messageSignature,
  "two-stage": twoStage,
  jwt: webToken,
};

export function canonicalStyle(canonical: Canonical): CanonicalStyle<Canonical> {
  return STYLES[canonical.style];
}
