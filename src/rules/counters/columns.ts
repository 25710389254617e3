// Growing columns of numbers: what would be a million small objects lies in a few arrays that the collector never walks.

type Column = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** From so many rows on a column grows in place, so that nothing is copied; until then it is read faster. */
const LARGE = 1 << 18;

/** Rows by which it grows then, so that little of it lies idle. */
const STEP = 1 << 16;

/** Rows for which a large column reserves addresses; memory is taken as it grows. */
const MOST_ROWS = 1 << 24;

/** Rows that a full column is given next. */
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

/** Rows that are handed out and given back; row 0 is never handed out, so that 0 can mean none. */
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
