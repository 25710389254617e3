// The headers of a received request by name; a repeated name has no value, as it would be ambiguous.

/** Header names of a request and their indexes, cached because a sender's requests have the same ones. */
export interface HeaderLayout {
  /** as they came, in order */
  readonly names: readonly string[];
  /** Index of a value in the raw headers, by lower-case name; without those of `repeated`. */
  readonly places: ReadonlyMap<string, number>;
  /** Repeated names in lower case, in order; usually none. */
  readonly repeated: readonly string[];
}

export class HeaderTable {
  readonly layout: HeaderLayout;
  readonly #raw: readonly string[];

  /** @param raw name, value, name, value, as they came; values as Latin-1: `rawHeaders` of node:http */
  constructor(raw: readonly string[]) {
    this.layout = layoutOf(raw);
    this.#raw = raw;
  }

  /** @param name in lower case */
  get(name: string): string | undefined {
    const place = this.layout.places.get(name);
    return place === undefined ? undefined : this.#raw[place];
  }
}

const KEPT = 8;

/** Most recently used layouts, newest first. */
const layouts: HeaderLayout[] = [];

function layoutOf(raw: readonly string[]): HeaderLayout {
  for (const layout of layouts) if (isLaidOut(raw, layout)) return layout;
  const layout = readLayout(raw);
  layouts.unshift(layout);
  if (layouts.length > KEPT) layouts.pop();
  return layout;
}

function isLaidOut(raw: readonly string[], { names }: HeaderLayout): boolean {
  if (names.length * 2 !== raw.length) return false;
  for (let at = 0; at < names.length; at++) if (names[at] !== raw[at * 2]) return false;
  return true;
}

function readLayout(raw: readonly string[]): HeaderLayout {
  const names = raw.filter((_, at) => at % 2 === 0);
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [at, name] of names.entries()) {
    const lower = name.toLowerCase();
    if (places.has(lower)) repeated.add(lower);
    else places.set(lower, at * 2 + 1);
  }
  const inOrder = [...places.keys()].filter((name) => repeated.has(name));
  for (const name of inOrder) places.delete(name);
  return { names, places, repeated: inOrder };
}
