// How the explorer writes numbers with their nouns.

import { describe, expect, it } from 'vitest';

import { counted } from '../../../web-demo/src/display.js';

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
