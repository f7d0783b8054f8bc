import { describe, expect, it } from 'vitest';

import { edmText, InferredType } from '../../../js/src/formats/infer-types.js';

function typeOf(texts: readonly string[]): string {
  const inferred = new InferredType();
  for (const text of texts) inferred.add(text);
  return inferred.type;
}

describe('the inferred type', () => {
  it.each([
    ['Int32', ['0', '-2147483648', '2147483647']],
    ['Int64', ['1', '2147483648']],
    ['Int64', ['-9223372036854775808', '9223372036854775807']],
    ['Double', ['1', '2.5', '-.5', '1e-7', '3.']],
    ['Double', ['9007199254740991', '0.5', 'NaN', '-Infinity']],
    ['Boolean', ['true', 'FALSE', 'False']],
    ['DateTime', ['2024-05-01', '2024-05-01T12:30Z', '2024-05-01 12:30:15.1234567+02:00']],
    ['Guid', ['a455c695-df98-5678-aaaa-81d3367e5a34', 'A455C695-DF98-5678-AAAA-81D3367E5A34']],
  ])('is %s for %j', (type, texts) => {
    expect(typeOf(texts)).toBe(type);
  });

  it.each([
    ['leading zeros', ['1', '007']],
    ['integers beyond Int64', ['9223372036854775808']],
    ['integers beside fractions that a Double would round', ['9007199254740993', '0.5']],
    ['a Double beyond its range', ['1e999']],
    ['days that no calendar has', ['2024-02-30']],
    ['days before the first one of the service', ['1600-12-31']],
    ['two types', ['1', 'true']],
    ['a number and a word', ['1', 'unknown']],
    ['points and signs alone', ['.']],
    ['a time alone', ['12:30']],
    ['nothing', []],
  ])('is String for %s', (_, texts) => {
    expect(typeOf(texts)).toBe('String');
  });
});

describe('the text of a value', () => {
  it.each([
    ['DateTime', '2024-05-01', '2024-05-01T00:00:00Z'],
    ['DateTime', '2024-05-01 12:30', '2024-05-01T12:30:00Z'],
    ['DateTime', '2024-05-01T00:30:15.1234567+02:00', '2024-04-30T22:30:15.1234567Z'],
    ['DateTime', 'soon', 'soon'],
    ['Double', '-.5', '-0.5'],
    ['Double', '3.', '3'],
    ['Boolean', 'TRUE', 'true'],
    ['Int32', '7', '7'],
    ['String', 'TRUE', 'TRUE'],
  ] as const)('of type %s for %s is %s', (type, text, expected) => {
    expect(edmText(type, text)).toBe(expected);
  });
});
