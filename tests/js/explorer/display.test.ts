// How the explorer writes numbers with their nouns.

import { describe, expect, it } from 'vitest';

import { counted, displayValue } from '../../../web-demo/src/display.js';

describe('a number with its noun', () => {
  it.each([
    [1, 'rows', '1 row'],
    [1, 'entities', '1 entity'],
    [1, 'movies', '1 movie'],
    [0, 'rows', '0 rows'],
    [2, 'entities', '2 entities'],
    [3201, 'movies', '3,201 movies'],
  ])('is in the singular for one alone: %d %s', (count, noun, text) => {
    expect(counted(count, noun)).toBe(text);
  });
});

it.each([
  ['0.30000000000000004', '0.30000000000000004'],
  ['12345678.12345679', '12,345,678.12345679'],
  ['-0.00025', '-0.00025'],
  ['7', '7.0'],
])('a grid shows every digit of the Double %s', (value, shown) => {
  expect(displayValue({ type: 'Double', value })).toBe(shown);
});
