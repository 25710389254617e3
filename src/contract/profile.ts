// A profile: where a service lives, how it is signed to, and how careful to be with it.

export const ENVIRONMENTS = ["SANDBOX", "TEST", "LIVE"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Unit in which amounts are written: minor (cents) or major units of the currency. */
export type AmountUnit = "minor" | "major";

export interface Profile {
  readonly name: string;
  readonly environment: Environment;
  /** Address of the check (spec {base_url}); empty for the embedded sandbox, whose address is found at run time. */
  readonly baseUrl: string;
  /** Address of registration and credential retrieval (spec {projects_url}). */
  readonly projectsUrl: string;
  /** Id of a signing recipe. */
  readonly recipe: string;
  /** The recipe that the user has confirmed for this service, after it accepted a request; void once the recipe is another. */
  readonly confirmedRecipe?: string;
  /** Unit in which the user writes amounts and the service expects them. */
  readonly amountUnit: AmountUnit;
  /** Recommended wait between registration and credential request, in seconds. */
  readonly credentialWaitS: number;
  /** Absolute path of a PEM file of authorities that are trusted besides the usual ones. It is read at each start. */
  readonly ca?: string;
}

/**
 * Whether the recipe of a profile is known to be that of its service.
 * @param own what the recipe says of itself
 * @returns null for the sandbox, which takes whatever it is told to
 */
export function recipeStatus(
  profile: Profile,
  own: "assumed" | "confirmed" = "assumed",
): "assumed" | "confirmed" | null {
  if (profile.environment === "SANDBOX") return null;
  return profile.confirmedRecipe === profile.recipe ? "confirmed" : own;
}

/** Recommended wait before the credential request where nothing else is known: "a few minutes" (spec 4.3). */
export const DEFAULT_CREDENTIAL_WAIT_S = 180;

/** The profile that always exists: the embedded sandbox of this home. */
export const SANDBOX_PROFILE: Profile = {
  name: "sandbox",
  environment: "SANDBOX",
  baseUrl: "",
  projectsUrl: "",
  recipe: "http-signatures",
  amountUnit: "minor",
  credentialWaitS: 5,
};
