// What a style of the string to sign has to do, for signing and for verifying.

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
   * The components that a signer covers, as far as the request has them; `judge` finds what is missing. Both look at
   * nothing of a message but which headers it carries.
   */
  choose(canonical: C, message: Message): readonly string[];
  /** Whether what a request claims to cover is enough: null, or what is wrong. */
  judge(canonical: C, message: Message, claimed: readonly string[]): string | null;
  /** The components as `{components}` writes them. */
  list(components: readonly string[]): string;
  /** The components that `list` wrote, or a string: what is wrong. */
  readList(text: string): readonly string[] | string;
  /** The value of `{params}` when signing; only styles that sign their parameters have one. */
  writeParams?(canonical: C, lookup: Lookup): string;
  /** What stands in `{params}` of a request, by placeholder, or a string: what is wrong. */
  readParams?(canonical: C, text: string): TemplateValues | string;
  /** @param lookup knows every value of the recipe, `components` and `params` included */
  write(canonical: C, message: Message, components: readonly string[], lookup: Lookup): Written;
  /** Every header that the style gives a meaning to, in lower case. */
  headers(canonical: C): readonly string[];
}
