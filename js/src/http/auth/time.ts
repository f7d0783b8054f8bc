/**
 * Times in shared access signatures.
 *
 * Source: auth of the spec, 5.6.
 *
 * @module
 */

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,7})?)?Z)?$/;

/** In milliseconds since 1970; NaN, if the text is no time or a day that does not exist. */
export function unixTimeOf(text: string): number {
  if (!TIME.test(text)) return NaN;
  const time = Date.parse(text);
  // The platform reads the 31st of February as the 3rd of March.
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(withoutZone(text));
  return isReal ? time : NaN;
}

// Up to seconds.
const withoutZone = (text: string) => text.replace('Z', '').slice(0, 19);
