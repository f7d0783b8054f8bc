import { describe, expect, it } from 'vitest';

import { TableError } from '../../../js/src/base/errors.js';
import { entityToJson } from '../../../js/src/entity/json.js';
import { typedEntityFromJson } from '../../../js/src/entity/typed.js';

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as TableError).code;
  }
  return 'no error';
};

describe('an entity on its way in', () => {
  it.each([
    ['a string', 'Rex', '"X":"Rex"'],
    ['a string with quotes', '"\\', '"X":"\\"\\\\"'],
    ['a lone surrogate, escaped so that the core sees it', '\ud800', '"X":"\\ud800"'],
    ['a truth value', false, '"X":false'],
    ['the largest Int32', 2147483647, '"X":2147483647'],
    ['the smallest Int32', -2147483648, '"X":-2147483648'],
    ['an integer beyond Int32', 2147483648, '"X@odata.type":"Edm.Double","X":2147483648'],
    ['an integer with an exponent', 1e21, '"X@odata.type":"Edm.Double","X":1e+21'],
    ['a fraction', 0.1, '"X":0.1'],
    ['the smallest double', 5e-324, '"X":5e-324'],
    ['minus zero, which the service does not know', -0, '"X":0'],
    ['NaN', NaN, '"X@odata.type":"Edm.Double","X":"NaN"'],
    ['Infinity', Infinity, '"X@odata.type":"Edm.Double","X":"Infinity"'],
    ['minus Infinity', -Infinity, '"X@odata.type":"Edm.Double","X":"-Infinity"'],
    ['a bigint', 2n ** 63n - 1n, '"X@odata.type":"Edm.Int64","X":"9223372036854775807"'],
    ['a date', new Date(0), '"X@odata.type":"Edm.DateTime","X":"1970-01-01T00:00:00.000Z"'],
    ['bytes', Uint8Array.of(0, 255), '"X@odata.type":"Edm.Binary","X":"AP8="'],
    ['no bytes', new Uint8Array(), '"X@odata.type":"Edm.Binary","X":""'],
    ['an integral Double', { type: 'Double', value: 3 }, '"X@odata.type":"Edm.Double","X":3'],
    ['a Double NaN', { type: 'Double', value: NaN }, '"X@odata.type":"Edm.Double","X":"NaN"'],
    ['an Int32', { type: 'Int32', value: 3 }, '"X@odata.type":"Edm.Int32","X":3'],
    ['an Int64 as text', { type: 'Int64', value: '5' }, '"X@odata.type":"Edm.Int64","X":"5"'],
    ['an Int64 as bigint', { type: 'Int64', value: 5n }, '"X@odata.type":"Edm.Int64","X":"5"'],
    ['a Boolean', { type: 'Boolean', value: true }, '"X@odata.type":"Edm.Boolean","X":true'],
    ['a String', { type: 'String', value: 'a' }, '"X@odata.type":"Edm.String","X":"a"'],
    ['a Binary', { type: 'Binary', value: 'AA==' }, '"X@odata.type":"Edm.Binary","X":"AA=="'],
    [
      'a Guid',
      { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' },
      '"X@odata.type":"Edm.Guid","X":"7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001"',
    ],
    [
      'a DateTime of 100 ns',
      { type: 'DateTime', value: '2020-01-01T00:00:00.1234567Z' },
      '"X@odata.type":"Edm.DateTime","X":"2020-01-01T00:00:00.1234567Z"',
    ],
    ['nothing', undefined, ''],
    ['null', null, ''],
    ['a type without a value', { type: 'String', value: null }, ''],
  ])('writes %s', (_what, value, json) => {
    expect(entityToJson({ X: value })).toBe(`{${json}}`);
  });

  it.each([
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
    ['an object', { a: 1 }],
    ['an array', [1]],
    ['a date that is none', new Date(NaN)],
    ['an unknown type', { type: 'Decimal', value: 1 }],
    ['the name of an inherited member as type', { type: 'constructor', value: 1 }],
    ['an object as the value of a type', { type: 'String', value: {} }],
    ['another array of numbers', new Float64Array(1)],
  ])('refuses %s, and names the property', (_what, value) => {
    expect(() => entityToJson({ Weight: value })).toThrow(/"Weight"/);
    expect(codeOf(() => entityToJson({ Weight: value }))).toBe('InvalidInput');
  });

  it('writes the keys under the names of the service', () => {
    expect(entityToJson({ partitionKey: 'p', rowKey: 'r' })).toBe(
      '{"PartitionKey":"p","RowKey":"r"}',
    );
  });

  it('leaves out the etag and the timestamp that a read returned', () => {
    const entity = {
      etag: 'W/"datetime\'2024-01-02T03%3A04%3A05.6789Z\'"',
      timestamp: '2024-01-02T03:04:05.6789Z',
      Age: 1,
    };

    expect(entityToJson(entity)).toBe('{"Age":1}');
  });

  it.each([
    ['etag', 'a tag of my own'],
    ['etag', 5],
    ['timestamp', 1700000000000],
    ['timestamp', new Date(0)],
    ['timestamp', 'yesterday'],
  ])('refuses a property of its own named %s, rather than lose it', (name, value) => {
    expect(codeOf(() => entityToJson({ [name]: value }))).toBe('PropertyNameInvalid');
  });

  it('escapes characters that JSON does not allow', () => {
    for (const text of ['"', '\\', '\n', '\u0000', '\u007f', 'é', '\u{1f600}', ' !#[]~']) {
      expect(JSON.parse(entityToJson({ X: `a${text}b` }))).toEqual({ X: `a${text}b` });
    }
  });

  it('writes a property named __proto__', () => {
    const entity = JSON.parse('{"__proto__":"a"}');

    expect(entityToJson(entity)).toBe('{"__proto__":"a"}');
  });

  it('writes bytes of any number', () => {
    const bytes = Uint8Array.from({ length: 65536 }, (_, index) => index % 251);
    const members = JSON.parse(entityToJson({ X: bytes })) as { X: string };

    expect(Uint8Array.from(atob(members.X), (byte) => byte.charCodeAt(0))).toEqual(bytes);
  });
});

describe('an entity on its way out, with its types', () => {
  const read = (json: string) => typedEntityFromJson(JSON.parse(json));

  it('reads members of the service under the names of the API', () => {
    const json = `{
      "odata.metadata": "http://a/$metadata#Pets/@Element",
      "odata.etag": "W/\\"datetime'2024-01-02T03%3A04%3A05.6789Z'\\"",
      "PartitionKey": "p", "RowKey": "r", "Timestamp": "2024-01-02T03:04:05.6789Z"
    }`;

    expect(read(json)).toEqual({
      etag: 'W/"datetime\'2024-01-02T03%3A04%3A05.6789Z\'"',
      partitionKey: 'p',
      rowKey: 'r',
      timestamp: '2024-01-02T03:04:05.6789Z',
    });
  });

  it.each(['partitionKey', 'rowKey', 'timestamp', 'etag'])(
    'has a stored property named %s under a name of its own, both ways',
    (name) => {
      const json = `{"PartitionKey":"p","${name}":"a"}`;
      const entity = read(json);

      expect(entity).toEqual({ partitionKey: 'p', [`$${name}`]: { type: 'String', value: 'a' } });
      expect(entityToJson({ partitionKey: 'p', [`$${name}`]: 'a' })).toBe(json);
    },
  );

  it('returns a property named __proto__ as an own one', () => {
    const entity = read('{"__proto__":"a","A@odata.type":"Edm.Int64","A":"1"}');

    expect(Object.entries(entity)).toEqual([
      ['__proto__', { type: 'String', value: 'a' }],
      ['A', { type: 'Int64', value: '1' }],
    ]);
    expect(Object.getPrototypeOf(entity)).toBe(Object.prototype);
  });

  it('returns every property with its type', () => {
    const json =
      '{"PartitionKey":"p","S":"a","B":true,"I":7,"D":0.5,"E@odata.type":"Edm.Double","E":3.0,' +
      '"L@odata.type":"Edm.Int64","L":"5","T@odata.type":"Edm.DateTime","T":"2020-01-01T00:00:00Z",' +
      '"X@odata.type":"Edm.Binary","X":"AA==","N":null}';

    expect(read(json)).toEqual({
      partitionKey: 'p',
      S: { type: 'String', value: 'a' },
      B: { type: 'Boolean', value: 'true' },
      I: { type: 'Int32', value: '7' },
      D: { type: 'Double', value: '0.5' },
      E: { type: 'Double', value: '3' },
      L: { type: 'Int64', value: '5' },
      T: { type: 'DateTime', value: '2020-01-01T00:00:00Z' },
      X: { type: 'Binary', value: 'AA==' },
      N: null,
    });
  });
});
