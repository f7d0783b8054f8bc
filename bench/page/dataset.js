// dataset.js - the entities for every engine: about 280 bytes each as JSON.
//
// Int64 and DateTime values are texts, as in JSON. An adapter may convert them to the types of its
// engine, outside of the measured time.

import { below, oneOf, randomFrom } from './random.js';

export const PARTITIONS = 100;
export const AGES = 50;
const SEED = 1;

const SYLLABLES = 'an bel cor den er fin gar hol is jon ka lin mor nel or pat'.split(' ');
const WORDS = (
  'invoice pending order shipped from warehouse client asked for refund call back meeting ' +
  'notes site visit checked pump valve replaced filter done urgent later'
).split(' ');
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export const partitionKeyOf = (number) => `p${String(number).padStart(3, '0')}`;
export const rowKeyOf = (number) => `r${String(number).padStart(8, '0')}`;

// The pieces of text: words, which repeat, or random letters, which do not compress.
const TEXTS = {
  words: {
    name: (random) => `${syllables(2, random)} ${syllables(3, random)}`,
    email: (name) => `${name.replace(' ', '.')}@example.org`,
    note(random) {
      let note = oneOf(WORDS, random);
      while (note.length < 54) note += ` ${oneOf(WORDS, random)}`;
      return note;
    },
  },
  random: {
    name: (random) => letters(16, random),
    email: (_, random) => letters(28, random),
    note: (random) => letters(57, random),
  },
};

const repeat = (count, make) => Array.from({ length: count }, make).join('');
const syllables = (count, random) => repeat(count, () => oneOf(SYLLABLES, random));
const letters = (count, random) => repeat(count, () => oneOf(LETTERS, random));

// Up to 18 digits. A number cannot hold half of them exactly.
function int64Text(random) {
  const sign = random() < 0.5 ? '-' : '';
  const digits = random() < 0.5 ? 17 : 11;
  return sign + String(1 + below(9, random)) + repeat(digits, () => below(10, random));
}

// Never whole, because a whole number would be an Int32 in the Table service.
const score = (random) => (below(5_400_000, random) + 0.5) / 1e6;

// Of the ordered query.
export const ORDER_BY = ['score desc', 'name'];
export const ORDER_TOP = 100;

// The second one gives the newest entities.
export const INDEXES = [['email'], ['created desc']];

export const WORDS_INDEX = [['words(name)']];
export const FOUND_TOP = 20;
// How many letters of a last name a search has.
const BEGINNING = 3;

/** The words that find a person: `anbel cor*`. */
export function searchFor({ name }) {
  const [first, last] = wordsOf(name);
  return last === undefined ? first : `${first} ${last.slice(0, BEGINNING)}*`;
}

/** Whether a search finds the entity. */
export function isFound({ name }, search) {
  const words = wordsOf(name);
  return search.split(' ').every((word) => {
    const isBeginning = word.endsWith('*');
    const text = word.slice(0, isBeginning ? -1 : undefined);
    return words.some((one) => (isBeginning ? one.startsWith(text) : one === text));
  });
}

const wordsOf = (name) =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** The first entities in that order, by a sort. */
export function firstInOrder(entities) {
  const order = (a, b) => b.score - a.score || (a.name < b.name ? -1 : Number(a.name > b.name));
  return entities.sort(order).slice(0, ORDER_TOP);
}

/** How many entities there are, and the least and the greatest score. */
export class Extremes {
  number = 0;
  least = Infinity;
  greatest = -Infinity;

  add({ score }) {
    this.number++;
    if (score < this.least) this.least = score;
    if (score > this.greatest) this.greatest = score;
  }
}

/** How many entities have an age, and the sum of their scores, by age. */
export class Groups {
  #byAge = new Map();

  add({ age, score }) {
    const group = this.#byAge.get(age);
    if (!group) return void this.#byAge.set(age, { age, number: 1, total: score });
    group.number++;
    group.total += score;
  }

  /** In the order of the ages. */
  list() {
    return [...this.#byAge.values()].sort((a, b) => a.age - b.age);
  }
}

/** Entity number `i`. They alternate between partitions, and ascend within each. */
export function makeEntity(i, random, values = 'words') {
  const texts = TEXTS[values];
  const name = texts.name(random);
  return {
    partitionKey: partitionKeyOf(i % PARTITIONS),
    rowKey: rowKeyOf(Math.floor(i / PARTITIONS)),
    name,
    email: texts.email(name, random),
    age: 18 + below(AGES, random),
    score: score(random),
    active: random() < 0.5,
    balance: int64Text(random),
    created: new Date(1.5e12 + below(2e11, random)).toISOString(),
    note: texts.note(random),
  };
}

/** Yields the first `count` entities. */
export function* eachEntity(count, values) {
  const random = randomFrom(SEED);
  for (let i = 0; i < count; i++) yield makeEntity(i, random, values);
}

/** The properties that a merge writes. They are as long as the old ones. */
export function makePatch(partitionKey, rowKey, random, values) {
  const note = TEXTS[values].note(random);
  return { partitionKey, rowKey, age: 18 + below(AGES, random), note };
}

// A filter that matches about 5 % of the entities, and the same in OData.
export const AGE_ABOVE = 40;
export const SCORE_BELOW = 0.5;
export const isMatch = ({ age, score }) => age > AGE_ABOVE && score < SCORE_BELOW;
export const ODATA_FILTER = `age gt ${AGE_ABOVE} and score lt ${SCORE_BELOW}`;

/** A row with an array and an object. About six rows have a tag in common. */
export function makeTrip(i, random) {
  const tag = () => `${oneOf(WORDS, random)}${below(100, random)}`;
  const place = {
    lat: below(18_000, random) / 100 - 90,
    lon: below(36_000, random) / 100 - 180,
    address: { city: syllables(3, random), street: syllables(4, random) },
  };
  return { id: `t${rowKeyOf(i)}`, name: syllables(4, random), tags: [tag(), tag(), tag()], place };
}

/** The different tags of trips. */
export const tagsOf = (trips) => [...new Set(trips.flatMap(({ tags }) => tags))];
