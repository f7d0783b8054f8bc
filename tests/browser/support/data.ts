// data.ts - the sample data itself, so that what a test expects does not come from the page.

import { readFileSync } from 'node:fs';

/** A row of movies.json, as far as tests read it. */
export interface Movie {
  readonly Title: string | number | null;
  readonly 'US Gross': number | null;
  readonly 'Major Genre': string | null;
  readonly 'IMDB Rating': number | null;
  readonly Director: string | null;
}

export const MOVIES = JSON.parse(
  readFileSync('node_modules/vega-datasets/data/movies.json', 'utf8'),
) as Movie[];

/** A row of flights-200k.json, as far as tests read it. */
export interface Flight {
  /** Minutes. */
  readonly delay: number;
  /** Hours since midnight. */
  readonly time: number;
}

export const FLIGHTS = JSON.parse(
  readFileSync('node_modules/vega-datasets/data/flights-200k.json', 'utf8'),
) as Flight[];

/** As the grid shows whole numbers. */
export function grouped(value: number): string {
  return value.toLocaleString('en');
}
