/**
 * The visits that the store of the page has.
 *
 * @module
 */

/** An entity of the table. */
export interface Visit {
  /** The year. */
  partitionKey: string;
  rowKey: string;
  pet: string;
  kind: string;
  weight: number;
  note: string;
}

export const TABLE = 'Visits';

const IMPORTED = 20_000;
const WRITTEN = 6;

/** How many visits the store has. */
export const VISITS = IMPORTED + WRITTEN;

const FIRST_YEAR = 2020;
const YEARS = 5;

const PETS = ['Bella', 'Fido', 'Luna', 'Milo', 'Rex', 'Tiger', 'Waldi'];
const KINDS = ['dog', 'cat', 'rabbit', 'tortoise'];
const NOTES = ['vaccinated', 'claws were cut', 'has a cold', 'comes again in a week', 'is well'];

/** Those that come as one import, in the order of their keys. */
export function* importedVisits(): Generator<Visit> {
  const ofYear = IMPORTED / YEARS;
  for (let number = 0; number < IMPORTED; number++) {
    yield visitOf(FIRST_YEAR + Math.floor(number / ofYear), (number % ofYear) + 1);
  }
}

/** Those that are written one by one, after the last year of the import. */
export function writtenVisits(): Visit[] {
  return Array.from({ length: WRITTEN }, (_, index) => visitOf(FIRST_YEAR + YEARS, index + 1));
}

// Numbers without a common divisor, so that the texts differ from visit to visit.
const visitOf = (year: number, number: number): Visit => ({
  partitionKey: String(year),
  rowKey: String(number).padStart(6, '0'),
  pet: `${PETS[number % PETS.length]} ${number}`,
  kind: KINDS[(number >> 2) % KINDS.length]!,
  weight: ((number * 7919) % 4000) / 100 + 0.5,
  note: `${NOTES[number % NOTES.length]}, ${NOTES[(number >> 3) % NOTES.length]}`,
});
