import { describe, expect, it } from 'vitest';

import { textAfter } from '../../../js/src/base/text-after.js';

describe('the first text after a prefix', () => {
  it.each([
    ['a', 'b'],
    ['a\uffff', 'b'],
    ['\ud7ff', '\u{10000}'],
    ['a\u{1f600}', 'a\u{1f601}'],
    ['\u{103ff}', '\u{10400}'],
    ['\u{10ffff}', '\ue000'],
    ['\uffff', undefined],
    ['', undefined],
  ])('of %j is %j', (prefix, after) => {
    expect(textAfter(prefix)).toBe(after);
  });
});
