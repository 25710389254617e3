// The domain of an e-mail address, and matching against lists of domains.

/** The part after the last `@`, in lower case, without a final dot; null when there is none. */
export function emailDomain(email: unknown): string | null {
  if (typeof email !== "string") return null;
  const at = email.lastIndexOf("@");
  if (at < 0) return null;
  const written = email
    .slice(at + 1)
    .trim()
    .toLowerCase();
  return (written.endsWith(".") ? written.slice(0, -1) : written) || null;
}

/** The domain or its nearest parent domain in the set, all of them in normal form; null for none. */
export function coveringDomain(domain: string, domains: ReadonlySet<string>): string | null {
  for (let rest = domain; ;) {
    if (domains.has(rest)) return rest;
    const dot = rest.indexOf(".");
    if (dot < 0) return null;
    rest = rest.slice(dot + 1);
  }
}
