// Country calling codes (ITU-T E.164, list of assigned codes) and the countries that share each.

import assigned from "./calling-codes.json" with { type: "json" };

/**
 * ISO 3166-1 alpha-2 countries, indexed by the code as a number; no code begins with 0. Codes of no country, of satellite networks
 * and international services, have none.
 */
const COUNTRIES = Array<readonly string[] | undefined>(1_000).fill(undefined);
for (const [code, countries] of Object.entries(assigned)) COUNTRIES[Number(code)] = countries;

const LONGEST_CODE = 3;
const ZERO = "0".charCodeAt(0);

/**
 * Countries that a number in E.164 form can belong to.
 * @param digits with the country code, without `+`
 * @param from where they begin in the text
 * @returns empty for international services; null when no assigned code begins the number
 */
export function countriesOfPhone(digits: string, from: number = 0): readonly string[] | null {
  // No code is a prefix of another, so the first match is the only one.
  let code = 0;
  for (let i = from; i < from + LONGEST_CODE && i < digits.length; i++) {
    const digit = digits.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9 || (digit === 0 && code === 0)) return null;
    code = code * 10 + digit;
    const countries = COUNTRIES[code];
    if (countries !== undefined) return countries;
  }
  return null;
}
