// Interface of a canonical style, used for signing and for verifying.

import type { Canonical } from "#src/signing/recipes/recipe.ts";
import type { TemplateValues } from "#src/signing/recipes/template-values.ts";
import type { Lookup } from "#src/signing/recipes/template.ts";
import type { Message } from "#src/signing/request-values.ts";

export interface Written {
  /** a byte string */
  readonly stringToSign: string;
  /** Only where a hash of it stands in the string to sign. */
  readonly canonicalRequest: string | null;
}

export interface CanonicalStyle<C extends Canonical> {
  /**
   * Components that a signer covers, as far as the request has them; `judge` finds missing ones. Both depend on the header
   * names of a message only.
   */
  choose(canonical: C, message: Message): readonly string[];
  /** Whether the claimed components are sufficient: null, or an error in words. */
  judge(canonical: C, message: Message, claimed: readonly string[]): string | null;
  /** The components as `{components}` writes them. */
  list(components: readonly string[]): string;
  /** The components that `list` wrote, or an error in words. */
  readList(text: string): readonly string[] | string;
  /** The value of `{params}` when signing; only styles that sign their parameters have one. */
  writeParams?(canonical: C, lookup: Lookup): string;
  /** Values in `{params}` of a request by placeholder, or an error in words. */
  readParams?(canonical: C, text: string): TemplateValues | string;
  /** @param lookup knows every value of the recipe, `components` and `params` included */
  write(canonical: C, message: Message, components: readonly string[], lookup: Lookup): Written;
  /** Headers that the style uses, in lower case. */
  headers(canonical: C): readonly string[];
}
