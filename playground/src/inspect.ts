/**
 * Values as the console of a browser shows them.
 *
 * @module
 */

const MOST_ITEMS = 100;

/** Text as it is at the top; quoted within objects and arrays. */
export function inspect(value: unknown, inside: readonly unknown[] = []): string {
  if (typeof value === 'string') return inside.length > 0 ? JSON.stringify(value) : value;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `function ${value.name}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Date) return Number.isNaN(value.valueOf()) ? 'Invalid Date' : value.toJSON();
  if (value instanceof Error) return String(value);
  if (inside.includes(value)) return '[Circular]';
  return inspectObject(value, [...inside, value]);
}

function inspectObject(value: object, inside: readonly unknown[]): string {
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return `${value.constructor.name} [${listed([...(value as Uint8Array)], String)}]`;
  }
  if (Array.isArray(value)) return `[${listed(value, (each) => inspect(each, inside))}]`;
  if (value instanceof Map) return `Map ${inspect([...value], inside)}`;
  if (value instanceof Set) return `Set ${inspect([...value], inside)}`;
  const pairs = Object.entries(value);
  const members = listed(pairs, ([name, each]) => `${name}: ${inspect(each, inside)}`);
  // An object without a prototype has no constructor.
  const { name = 'Object' } = (value.constructor as { name?: string } | undefined) ?? {};
  const title = name === 'Object' ? '' : `${name} `;
  return pairs.length > 0 ? `${title}{ ${members} }` : `${title}{}`;
}

function listed<T>(items: readonly T[], show: (item: T) => string): string {
  const shown = items.slice(0, MOST_ITEMS).map(show);
  return [...shown, ...(items.length > MOST_ITEMS ? ['…'] : [])].join(', ');
}
