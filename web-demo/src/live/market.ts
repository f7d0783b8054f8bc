/**
 * What the market of the page sells.
 *
 * @module
 */

/** An entity of the table. */
export interface Product {
  /** Its kind. */
  partitionKey: string;

  /** Its name. */
  rowKey: string;
  price: number;
}

export const TABLE = 'Market';

const PRICES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  fruit: { Apple: 2.4, Banana: 1.9, Cherry: 7.5, Pear: 2.8, Plum: 3.2 },
  vegetable: { Carrot: 1.2, Cucumber: 0.9, Leek: 2.6, Onion: 1.1, Tomato: 3.9 },
};

export const PRODUCTS: readonly Product[] = Object.entries(PRICES).flatMap(
  ([partitionKey, prices]) =>
    Object.entries(prices).map(([rowKey, price]) => ({ partitionKey, rowKey, price })),
);

export const KINDS = Object.keys(PRICES);

/** The price in another step of ten cents; at least ten cents. */
export const steppedPrice = (price: number, steps: number): number =>
  Math.max(0.1, Math.round(price * 10 + steps) / 10);
