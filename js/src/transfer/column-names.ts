/**
 * Names of properties for the columns of files, which may have any names.
 *
 * @module
 */

// A name that needs no change.
const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{Nd}_]*$/u;

/** Makes names that the service takes: `Unit price (€)` becomes `Unit_price`. */
export class PropertyNames {
  readonly #taken = new Set<string>();

  /** The name of the next column. No other column has it. */
  next(column: string): string {
    const base = PLAIN.test(column) ? column : cleaned(column);
    let name = base;
    for (let number = 2; this.#taken.has(name); number++) name = `${base}_${number}`;
    this.#taken.add(name);
    return name;
  }
}

function cleaned(column: string): string {
  const name = withoutAccents(column)
    .replace(/[^\p{L}\p{Nd}_]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  return /^\p{L}/u.test(name) ? name : `_${name}`;
}

/** `é` becomes `e`. */
export function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}
