/**
 * The names of system properties, here and on the wire.
 *
 * @module
 */

// System properties have other names on the wire than here. If an ordinary property has one of our
// names on the wire, its name here begins with a dollar sign, which no name of a property has.
export const SYSTEM_NAMES = {
  partitionKey: 'PartitionKey',
  rowKey: 'RowKey',
  timestamp: 'Timestamp',
  etag: 'odata.etag',
};
const WIRE_NAMES: ReadonlyMap<string, string> = /* @__PURE__ */ wireNames();
const API_NAMES: ReadonlyMap<string, string> = /* @__PURE__ */ reversed(WIRE_NAMES);

function wireNames() {
  const pairs = Object.entries(SYSTEM_NAMES);
  return new Map([...pairs, ...pairs.map(([name]) => [`$${name}`, name] as const)]);
}

function reversed(map: ReadonlyMap<string, string>) {
  return new Map([...map].map(([key, value]) => [value, key]));
}

/** The name of a property on the wire. */
export function wireName(name: string): string {
  return WIRE_NAMES.get(name) ?? name;
}

/** The name here of a member on the wire. */
export function apiName(name: string): string {
  return API_NAMES.get(name) ?? name;
}
