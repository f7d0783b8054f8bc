/**
 * Ranges of addresses of version 4; the service takes no others.
 *
 * Source: auth of the spec, 5.6.
 *
 * @module
 */

/** Whether the text is an address, or two with a hyphen between, the lower one first. */
export function isAddressRange(range: string): boolean {
  const parts = range.split('-');
  const [first, last = first] = parts.map(numberOf);
  return parts.length <= 2 && first! <= last!;
}

/** Whether an address is in a range; also false, if either cannot be read. */
export function isInAddressRange(address: string, range: string): boolean {
  const [first = '', last = first] = range.split('-');
  const [low, it, high] = [first, address.replace(/^::ffff:/, ''), last].map(numberOf);
  return low! <= it! && it! <= high!;
}

// No comparison holds for NaN.
function numberOf(address: string): number {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number);
  if (!parts || parts.some((part) => part > 255)) return NaN;
  return parts.reduce((number, part) => number * 256 + part);
}
