/**
 * The range of keys that a shared access signature covers.
 *
 * Source: auth of the spec, 5.3.
 *
 * @module
 */

/**
 * Whether a credential covers all entities of these partitions. Any other credential than a shared
 * access signature does.
 *
 * @param partitions - undefined: all.
 */
export function coversAll(credential: string, partitions: readonly string[] | undefined): boolean {
  const fields = new URLSearchParams(credential.replace(/^\?/, ''));
  const [from, fromRow, to, toRow] = ['spk', 'srk', 'epk', 'erk'].map((name) => fields.get(name));
  if (!fields.has('sig') || (from == null && to == null)) return true;
  // Keys compare by UTF-16 units, as strings do here. A row key bounds the partition at its end.
  const isInside = (key: string) =>
    (from == null || from < key || (from === key && fromRow == null)) &&
    (to == null || key < to || (key === to && toRow == null));
  return partitions?.every(isInside) ?? false;
}
