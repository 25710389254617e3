// Unique keys for the items of a run: the second item of a key becomes `key#2`.

import { createKeyTable } from "./key-table.ts";

export interface SourceKeys {
  /** The key itself when it is new, else the first free one of `key#2`, `key#3`, ... */
  unique(key: string): string;
}

export function createSourceKeys(): SourceKeys {
  const table = createKeyTable();
  return {
    unique: (key) => {
      let count = table.count(key);
      if (count === 1) return key;
      // `a#2` may be taken by a payload of that very name.
      for (;;) {
        const candidate = `${key}#${count}`;
        if (table.count(candidate) === 1) return candidate;
        count = table.count(key);
      }
    },
  };
}
