import { expect, it } from 'vitest';

import { noTableText } from '../../../js/src/formats/no-table.js';

it.each([
  ['a.csv', '', 'is empty'],
  ['a.json', '\uFEFF\r\n ', 'is empty'],
  ['a.csv', '\n <!DOCTYPE html>\n<title>Sign in</title>', 'is an HTML page'],
  ['a.json', '<HTML lang="en">', 'is an HTML page'],
  ['a.csv', '%PDF-1.7\n1 0 obj', 'is a PDF'],
  ['a.json', '5', 'has a JSON value'],
  ['a.json', ' null\n', 'has a JSON value'],
  ['a.JSON', '"abc"', 'has a JSON value'],
  ['a.jsonl', '5\n6\n', 'has a JSON value'],
])('%s with %j has no rows', (name, text, reason) => {
  expect(noTableText(name, text, true)).toContain(reason);
});

it.each([
  ['a.csv', 'PartitionKey,RowKey\r\n'],
  ['a.csv', '"abc"'],
  ['a.csv', '5'],
  ['a.json', '[]'],
  ['a.json', '{"a":1}'],
  ['a.json', 'a,b\n1,2\n'],
  ['a.jsonl', ''],
  ['-', ''],
])('%s with %j may have rows, or is an empty table', (name, text) => {
  expect(noTableText(name, text, true)).toBeUndefined();
});

it('takes a file with blanks before its text for no empty one', () => {
  expect(noTableText('a.csv', '\n'.repeat(1024), false)).toBeUndefined();
});
