import { describe, expect, it } from 'vitest';

import type { JsonMembers } from '../../../js/src/formats/json-members.js';
import { JsonObjectReader } from '../../../js/src/formats/json-objects.js';

function objectsOf(text: string, size = text.length || 1): object[] {
  const reader = new JsonObjectReader();
  const members: JsonMembers[] = [];
  for (let at = 0; at < text.length; at += size) {
    members.push(...reader.push(text.slice(at, at + size)));
  }
  reader.end();
  return members.map((one) =>
    Object.fromEntries(Array.from(one, ([name, json]) => [name, JSON.parse(json) as unknown])),
  );
}

describe('JSON', () => {
  it.each([
    ['an array', '[{"a":1},\n{"b":[{"c":2}]}]\n', [{ a: 1 }, { b: [{ c: 2 }] }]],
    ['lines', '{"a":1}\n{"a":2}\r\n{"a":3}', [{ a: 1 }, { a: 2 }, { a: 3 }]],
    [
      'brackets and quotes in texts',
      String.raw`{"a":"}]\"{\\"}{"b\\":"\\\""}`,
      [{ a: '}]"{\\' }, { 'b\\': '\\"' }],
    ],
    ['a byte order mark', '\uFEFF[{}]', [{}]],
    ['nothing', ' [ ] ', []],
    [
      'a feed of the service',
      '{"odata.metadata":"http://x/$metadata#T","value":[{"a":"]}"},\n{"b":{"c":[]}}]}\n',
      [{ a: ']}' }, { b: { c: [] } }],
    ],
    [
      'feeds, with what follows their arrays',
      '{"items":[{"a":1}],"nextMarker":{"k":"]}"}}\n{"@odata.count":1,"value":[ ]}{"a":2}\n' +
        '{"value":[\n{"a":3}]}{"count":1,"items":[{"a":4}],"nextLink":null}{"items":[{"a":5}]}',
      [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }, { a: 5 }],
    ],
    [
      'rows with an array of objects',
      '{"count":2,"items":[{"a":1}]}{"items":[],"name":"x"}' +
        '{"count":1,"value":[{}]}[{"items":[{"a":1}],"nextMarker":null}]',
      [
        { count: 2, items: [{ a: 1 }] },
        { items: [], name: 'x' },
        { count: 1, value: [{}] },
        { items: [{ a: 1 }], nextMarker: null },
      ],
    ],
    [
      'rows that are almost feeds',
      '{"value":"["}{"items":1}{"odata.etag":"x","value":2}',
      [{ value: '[' }, { items: 1 }, { 'odata.etag': 'x', value: 2 }],
    ],
  ])('reads %s, in chunks of any size', (_, text, objects) => {
    expect(objectsOf(text)).toEqual(objects);
    for (const size of [1, 2, 3, 5]) expect(objectsOf(text, size)).toEqual(objects);
  });

  it.each([
    ['{"a":1}{"a":', 'Object 2 of the JSON has no end.'],
    ['[1,2]', 'Object 1 of the JSON begins with "1" instead of {.'],
    ['{"a":1}name,age', 'Object 2 of the JSON begins with "n" instead of {.'],
    ['{"odata.metadata":"x","value":[{"a":1}],"name":"x"}', 'has an array of rows and "name"'],
    ['{"value":[{"a":1}', 'Object 1 of the JSON has no end.'],
    ['{"odata.metadata":"x","value":[{"a":1}', 'Object 2 of the JSON has no end.'],
    ['{"odata.metadata":"x","value":[{"a":1}]', 'Object 2 of the JSON has no end.'],
    ['{"odata.metadata":"x","value":[{"a":1}],}', 'does not end well'],
    ['{"value":[{"a":1}],}', 'Object 1 of the JSON is not JSON: '],
    ['[{"a":1},', 'The array of the JSON has no end.'],
    ['{a:1}', 'Object 1 of the JSON is not JSON: '],
  ])('refuses %s, and says where', (text, message) => {
    expect(() => objectsOf(text)).toThrow(message);
  });

  it('takes an object with an array of other values for a row', () => {
    expect(objectsOf('{"items":["a"],"id":1}')).toEqual([{ items: ['a'], id: 1 }]);
  });

  it('takes an object that is longer than any row for a feed', () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => ({ at, text: 'x'.repeat(100) }));
    const text = JSON.stringify({ items: rows, nextMarker: null });

    expect(objectsOf(text, 1 << 20)).toEqual(rows);
  });

  it('refuses an object that goes on and on, before it is all in memory', () => {
    const reader = new JsonObjectReader();
    reader.push('{"a":"');
    const chunk = 'x'.repeat(1 << 20);

    expect(() => {
      for (let chunks = 0; chunks < 6; chunks++) reader.push(chunk);
    }).toThrow('Object 1 of the JSON is longer than 4194304 characters');
  });
});
