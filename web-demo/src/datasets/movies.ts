/**
 * 3,201 movies, partitioned by genre.
 *
 * @module
 */

import type { Edm } from 'entitable';

import type { Dataset } from './dataset.js';

interface MovieRow {
  /** A number if the title looks like one. */
  readonly Title: string | number | null;
  readonly 'US Gross': number | null;
  readonly 'Worldwide Gross': number | null;
  readonly 'US DVD Sales': number | null;
  readonly 'Production Budget': number | null;
  readonly 'Release Date': string;
  readonly 'MPAA Rating': string | null;
  readonly 'Running Time min': number | null;
  readonly Distributor: string | null;
  readonly Source: string | null;
  readonly 'Major Genre': string | null;
  readonly 'Creative Type': string | null;
  readonly Director: string | null;
  readonly 'Rotten Tomatoes Rating': number | null;
  readonly 'IMDB Rating': number | null;
  readonly 'IMDB Votes': number | null;
}

export const movies: Dataset<MovieRow> = {
  table: 'Movies',
  noun: 'movies',
  count: 3201,
  url: new URL('../../../node_modules/vega-datasets/data/movies.json', import.meta.url).href,
  indexes: [['Director'], ['words(Title)']],
  examples: [
    'UsGross gt 500000000L',
    "Director eq 'Stanley Kubrick' and ImdbRating ge 8.0",
    "PartitionKey eq 'Western' and IsProfitable",
    "ReleaseDate ge datetime'2010-06-01T00:00:00Z'",
  ],
  wrongExample: 'UsGross gt',

  // A query by genre reads only one partition. Two of the genres have a slash, which a key cannot
  // have.
  partitionKeyOf: (row) => (row['Major Genre'] ?? 'Unclassified').replaceAll('/', ' & '),
  rowKeyOf: (row, index) => `${String(index + 1).padStart(4, '0')}-${slug(titleOf(row))}`,

  // Money is Int64: the limit of Int32 is 2.1 billion, and Avatar earned more. Unknown values are
  // null in the file, and an entity leaves them out, because the service has no null.
  properties: {
    Title: titleOf,
    ReleaseDate: (row) => toDate(row['Release Date']),
    UsGross: (row) => toInt64(row['US Gross']),
    ImdbRating: (row) => toDouble(row['IMDB Rating']),
    Director: (row) => row.Director,
    ImdbVotes: (row) => row['IMDB Votes'],
    RottenTomatoes: (row) => row['Rotten Tomatoes Rating'],
    WorldwideGross: (row) => toInt64(row['Worldwide Gross']),
    ProductionBudget: (row) => toInt64(row['Production Budget']),
    UsDvdSales: (row) => toInt64(row['US DVD Sales']),
    IsProfitable: isProfitable,
    RunningTimeMinutes: (row) => row['Running Time min'],
    MpaaRating: (row) => row['MPAA Rating'],
    Distributor: (row) => row.Distributor,
    Source: (row) => row.Source,
    CreativeType: (row) => row['Creative Type'],
  },
};

function titleOf({ Title: title }: MovieRow): string {
  return String(title ?? 'Untitled');
}

// Only characters that a key may have: no slash, backslash, number sign or question mark.
function slug(title: string): string {
  return title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

// 'Jun 12 1998': a day without a time zone.
function toDate(text: string): Date {
  return new Date(`${text} UTC`);
}

// Without it, 7 would become an Int32 and 6.1 a Double: two types in one column.
function toDouble(value: number | null): Edm<'Double'> | null {
  return value === null ? null : { type: 'Double', value };
}

function toInt64(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}

function isProfitable({
  'Worldwide Gross': gross,
  'Production Budget': budget,
}: MovieRow): boolean | null {
  return gross === null || budget === null ? null : gross > budget;
}
