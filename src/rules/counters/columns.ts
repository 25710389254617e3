// Growable typed-array columns: a few arrays in place of a million small objects, which the garbage collector would traverse.

type Column = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** From this size on a column is a resizable buffer, which grows without copying; smaller ones are faster to read. */
const LARGE = 1 << 18;

/** Rows that a resizable column grows by, which limits unused memory. */
const STEP = 1 << 16;

/** Rows of address space that a resizable column reserves; memory is committed as it grows. */
const MOST_ROWS = 1 << 24;

/** The next size of a full column. */
export function nextCapacity(rows: number): number {
  return rows < LARGE ? rows * 2 : rows + STEP;
}

/** The column with room for `rows`, its new rows zero. */
export function grown<T extends Column>(column: T, rows: number): T {
  const bytes = rows * column.BYTES_PER_ELEMENT;
  if (column.buffer.resizable) {
    column.buffer.resize(bytes);
    return column;
  }
  const reserved = { maxByteLength: Math.max(rows, MOST_ROWS) * column.BYTES_PER_ELEMENT };
  const buffer = rows < LARGE ? new ArrayBuffer(bytes) : new ArrayBuffer(bytes, reserved);
  // Without a length of its own it follows its buffer.
  const larger = new (column.constructor as new (buffer: ArrayBuffer) => T)(buffer);
  larger.set(column);
  return larger;
}

/** Free-list allocator of rows; row 0 is never allocated, so that 0 can mean none. */
export class RowPool {
  /** Rows in use. */
  used = 0;
  #end = 1;
  #capacity: number;
  readonly #free: number[] = [];
  readonly #grow: (rows: number) => void;

  /** @param grow called with the number of rows that the columns must have */
  constructor(capacity: number, grow: (rows: number) => void) {
    this.#capacity = capacity;
    this.#grow = grow;
  }

  take(): number {
    this.used += 1;
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#end === this.#capacity) {
      this.#capacity = nextCapacity(this.#capacity);
      this.#grow(this.#capacity);
    }
    return this.#end++;
  }

  give(row: number): void {
    this.used -= 1;
    this.#free.push(row);
  }
}
