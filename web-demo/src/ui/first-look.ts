/**
 * What a first visit sees of the explorer: twelve movies, which a click on a column sorts, and the
 * sums of that column by director.
 *
 * @module
 */

import { displayCount } from '../display.js';
import { byId, make, makeButton, makeSvg } from './dom.js';

const NUMBERS = ['Worldwide', 'US', 'Rating'] as const;
type NumberColumn = (typeof NUMBERS)[number];

type Movie = Readonly<Record<NumberColumn, number> & { title: string; director: string }>;

const movie = (title: string, director: string, world: number, us: number, Rating: number) => ({
  ...{ title, director, Rating },
  Worldwide: world,
  US: us,
});

/** Of the sample with 3,201 of them, as its file has them; money is in dollars. */
export const MOVIES: readonly Movie[] = [
  movie('Avatar', 'James Cameron', 2_767_891_499, 760_167_650, 8.3),
  movie('Titanic', 'James Cameron', 1_842_879_955, 600_788_188, 7.4),
  movie(
    'The Lord of the Rings: The Return of the King',
    'Peter Jackson',
    1_133_027_325,
    377_027_325,
    8.8,
  ),
  movie(
    "Pirates of the Caribbean: Dead Man's Chest",
    'Gore Verbinski',
    1_065_659_812,
    423_315_812,
    7.3,
  ),
  movie('Alice in Wonderland', 'Tim Burton', 1_023_291_110, 334_191_110, 6.7),
  movie('The Dark Knight', 'Christopher Nolan', 1_022_345_358, 533_345_358, 8.9),
  movie("Harry Potter and the Sorcerer's Stone", 'Chris Columbus', 976_457_891, 317_557_891, 7.2),
  movie("Pirates of the Caribbean: At World's End", 'Gore Verbinski', 960_996_492, 309_420_425, 7),
  movie('Harry Potter and the Order of the Phoenix', 'David Yates', 938_468_864, 292_004_738, 7.4),
  movie('Harry Potter and the Half-Blood Prince', 'David Yates', 937_499_905, 301_959_197, 7.3),
  movie('The Lord of the Rings: The Two Towers', 'Peter Jackson', 926_284_377, 341_784_377, 8.7),
  movie('Jurassic Park', 'Steven Spielberg', 923_067_947, 357_067_947, 7.9),
];

export class FirstLook {
  readonly #rows = make('tbody');
  readonly #heads = new Map(NUMBERS.map((name) => [name, this.#head(name)]));
  readonly #title = make('p', { class: 'chart-title', id: 'look-title', role: 'status' });
  readonly #bars = make('ul', { class: 'look-bars', 'aria-labelledby': 'look-title' });
  #column: NumberColumn = 'Worldwide';
  #isDescending = true;

  constructor() {
    const texts = ['Title', 'Director'].map((name) => make('th', { scope: 'col' }, name));
    const head = make('tr', {}, ...texts, ...this.#heads.values());
    const table = make(
      'table',
      {},
      make('caption', { class: 'visually-hidden' }, 'Twelve movies'),
      make('thead', {}, head),
      this.#rows,
    );
    const scroller = make(
      'div',
      { class: 'look-table', role: 'region', 'aria-label': 'A table to try', tabindex: '0' },
      table,
    );
    const chart = make('div', { class: 'look-chart' }, this.#title, this.#bars);
    byId('look', HTMLElement).replaceChildren(scroller, chart);
    this.#draw();
  }

  #head(name: NumberColumn): HTMLElement {
    const sort = makeButton(
      { class: 'sort', title: `Sort by ${name}` },
      () => this.#sort(name),
      name,
    );
    return make('th', { scope: 'col', class: 'number' }, sort);
  }

  #sort(name: NumberColumn): void {
    this.#isDescending = name !== this.#column || !this.#isDescending;
    this.#column = name;
    this.#draw();
  }

  #draw(): void {
    const column = this.#column;
    const sign = this.#isDescending ? -1 : 1;
    for (const [name, head] of this.#heads) {
      head.ariaSort = name !== column ? 'none' : this.#isDescending ? 'descending' : 'ascending';
    }
    const movies = [...MOVIES].sort((a, b) => sign * (a[column] - b[column]));
    this.#rows.replaceChildren(...movies.map(rowOf));
    this.#drawChart(movies, sign);
  }

  // A sum of ratings says nothing, so these are averages.
  #drawChart(movies: readonly Movie[], sign: number): void {
    const column = this.#column;
    const directors = [...new Set(movies.map(({ director }) => director))];
    const bars = directors
      .map((director) => {
        const values = movies.flatMap((one) => (one.director === director ? one[column] : []));
        const sum = values.reduce((total, value) => total + value, 0);
        return { director, value: column === 'Rating' ? sum / values.length : sum };
      })
      .sort((a, b) => sign * (a.value - b.value));
    const most = Math.max(...bars.map(({ value }) => value));
    this.#title.textContent =
      column === 'Rating' ? 'Average rating by director' : `${column} gross by director`;
    this.#bars.replaceChildren(...bars.map(({ director, value }) => barOf(director, value, most)));
  }
}

function rowOf(shown: Movie): HTMLElement {
  const numbers = NUMBERS.map((name) =>
    make(
      'td',
      { class: 'number' },
      name === 'Rating' ? shown[name].toFixed(1) : displayCount(shown[name]),
    ),
  );
  return make(
    'tr',
    {},
    make('th', { scope: 'row' }, shown.title),
    make('td', {}, shown.director),
    ...numbers,
  );
}

function barOf(director: string, value: number, most: number): HTMLElement {
  const bar = makeSvg(
    'svg',
    { viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    makeSvg('rect', { width: (100 * value) / most, height: 8 }),
  );
  const text = value < 10 ? value.toFixed(1) : `${(value / 1e9).toFixed(2)} bn`;
  return make('li', {}, make('span', {}, director), bar, make('span', { class: 'number' }, text));
}
