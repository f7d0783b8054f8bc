/**
 * Ids that sort by the time at which they were made.
 *
 * An id is a UUID: 48 bits of milliseconds since 1970, a version, 12 bits that count the ids of one
 * millisecond, and 62 random bits. The count begins at a random number below 2,048. If it is used
 * up, or the clock goes back, the time of the last id goes on. So each id of a process is greater
 * than the one before.
 *
 * With the newest first, time and count are turned round: each id is less than the one before. Such
 * a UUID has the version 8, which leaves its content to the program, since its time is not that of
 * version 7. Source: RFC 9562, 5.7, 5.8 and 6.2 (method 1).
 *
 * @module
 */

const MOST_MS = 2 ** 48 - 1;
const MOST_COUNT = 2 ** 12 - 1;

let lastMs = 0;
let count = 0;

/** Makes an id. */
export function newId(isNewestFirst: boolean): string {
  const random = crypto.getRandomValues(new Uint8Array(10));
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    count = ((random[8]! & 7) << 8) | random[9]!;
  } else if (++count > MOST_COUNT) {
    lastMs++;
    count = 0;
  }
  const [ms, counted] = isNewestFirst ? [MOST_MS - lastMs, MOST_COUNT - count] : [lastMs, count];
  random[0] = (random[0]! & 0x3f) | 0x80;
  const rest = Array.from(random.subarray(0, 8), (byte) => hex(byte, 2)).join('');
  const digits = `${hex(ms, 12)}${isNewestFirst ? 8 : 7}${hex(counted, 3)}${rest}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');
