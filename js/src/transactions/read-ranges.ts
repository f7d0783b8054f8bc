/**
 * What a transaction has read, as the core says it.
 *
 * @module
 */

// More than a thousand entities. All of it goes with each read.
const MANY_BYTES = 64 * 1024;

/** Ranges of entities. */
export class ReadRanges {
  #bytes = new Uint8Array(0);
  readonly #tables = new Set<string>();
  readonly #wholeTables = new Set<string>();

  /** For the core. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Those that have ranges. */
  get tables(): readonly string[] {
    return [...this.#tables];
  }

  /** Whether it is time to replace them. */
  get areMany(): boolean {
    return this.#bytes.length > MANY_BYTES;
  }

  add(table: string, ranges: Uint8Array): void {
    if (this.#wholeTables.has(table)) return;
    this.#tables.add(table);
    const bytes = new Uint8Array(this.#bytes.length + ranges.length);
    bytes.set(this.#bytes);
    bytes.set(ranges, this.#bytes.length);
    this.#bytes = bytes;
  }

  /** Puts the ranges of whole tables in place of all. */
  replace(wholeTables: ReadonlyMap<string, Uint8Array>): void {
    this.#bytes = new Uint8Array(0);
    for (const [table, ranges] of wholeTables) {
      this.add(table, ranges);
      this.#wholeTables.add(table);
    }
  }
}
