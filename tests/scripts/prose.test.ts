import { expect, it } from 'vitest';

import { figuresOf, proseOf } from '../../scripts/lib/prose.mjs';

it('counts the words of a page, but not those of its code', () => {
  const page = '# Two words\n\nSee [the other page](other.md).\n\n```ts\nlet x = 1;\n```\n';

  expect(proseOf(page).words).toBe(2 + 4);
});

it('measures sentences of paragraphs and lists, and of nothing else', () => {
  const page = `# A heading is no sentence.

The first sentence has six words. The second
one, with \`code.of.one(word)\` in it, has ten words.

| a table. | is none. |

- Three words follow: \`one\`, \`two\`.
- [an item of names](page.md)
- **A bold one**, e.g. this, is one sentence.
`;

  expect(proseOf(page).lengths).toEqual([6, 10, 5, 8]);
});

it('finds the points of the longest list', () => {
  const list = '- one\n\n- two\n  goes on\n  1. inner\n  2. inner\n- three\n';
  const page = `${list}\nText between.\n\n- four\n- five\n`;

  expect(proseOf(page).longestList).toBe(3);
});

it('names turns of phrase with their lines', () => {
  const page = `# Title

A row is
refused, also if it is new. Also
a file.

    Beyond the service.
`;

  expect(proseOf(page).turns).toEqual([
    { line: 3, turn: 'is refused' },
    { line: 4, turn: 'also for even' },
    { line: 4, turn: 'Also …' },
    { line: 7, turn: 'Beyond the service.' },
  ]);
});

it('calculates the mean and the shares', () => {
  expect(figuresOf([8, 9, 31, 32])).toEqual({ mean: 20, short: 0.25, long: 0.5 });
  expect(figuresOf([])).toEqual({ mean: 0, short: 0, long: 0 });
});
