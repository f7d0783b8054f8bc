import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest';

import { fillForm, readForm, type FormIssue } from '../../../js/src/forms.js';
import { messages as english } from '../../../js/src/forms/messages/en.js';
import { loadValidator } from '../../../js/src/index.js';
import type { Infer } from '../../../js/src/schema.js';
import { rejection } from '../support/rejection.js';
import { dataOf, guests, keys } from './support.js';

beforeAll(async () => {
  await loadValidator();
});

const OPTIONS = { values: keys, timeZone: 'Europe/Berlin' } as const;

/** The row of a form with a name and these entries. */
async function rowOf(entries: Record<string, string | Blob>, options: object = {}) {
  const data = dataOf({ name: 'Ann', ...entries });
  const result = await readForm(data, guests, { ...OPTIONS, ...options });
  expect(result.issues).toBeUndefined();
  return (result as { value: Infer<typeof guests> }).value;
}

/** The issues of a form with a name and these entries, as `name rule`. */
async function issuesOf(entries: Record<string, string | Blob>): Promise<readonly FormIssue[]> {
  const { issues } = await readForm(dataOf({ name: 'Ann', ...entries }), guests, OPTIONS);
  return issues ?? [];
}

const namesOf = (issues: readonly FormIssue[]) => issues.map(({ name, rule }) => `${name} ${rule}`);

describe('readForm', () => {
  it.each([
    ['name', ' Ann ', ' Ann '],
    // A request has the line breaks of the network, and a textarea those of the page.
    ['name', 'a\r\nb\rc\nd', 'a\nb\nc\nd'],
    ['age', '36', 36],
    ['age', ' +7 ', 7],
    ['chip', '9007199254740993', 9007199254740993n],
    ['chip', '-9223372036854775808', -(2n ** 63n)],
    ['weight', '1e3', 1000],
    ['weight', '.5', 0.5],
    ['weight', '5.', 5],
    // A Double holds it, or the number that is written with these digits.
    ['weight', '0.1', 0.1],
    ['weight', '0.30000000000000000001', 0.3],
    ['weight', '9007199254740992', 2 ** 53],
    ['weight', '+9007199254740994.0', 2 ** 53 + 2],
    ['weight', '1152921504606846976', 2 ** 60],
    ['weight', '1152921504606847000', 2 ** 60],
    ['weight', '00100000000000000000000000', 1e23],
    ['weight', '9.007199254740993e15', 2 ** 53],
    // The point of HTML, in each language of the page.
    ['weight', '1.900', 1.9],
    ['agreed', 'on', true],
    ['agreed', 'true', true],
    ['agreed', 'false', false],
    ['tag', ' a455c695-df98-5678-aaaa-81d3367e5a34', 'a455c695-df98-5678-aaaa-81d3367e5a34'],
  ] as const)('reads %s from %j', async (name, text, value) => {
    expect((await rowOf({ [name]: text }))[name]).toStrictEqual(value);
  });

  it.each([
    ['2024-05-06', '2024-05-05T22:00:00.000Z'],
    ['2024-05-06T07:08', '2024-05-06T05:08:00.000Z'],
    ['2024-01-06T07:08:09.123', '2024-01-06T06:08:09.123Z'],
    ['2024-01-06 07:08:09.1230000', '2024-01-06T06:08:09.123Z'],
    ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09.000Z'],
    ['2024-05-06T07:08+05:30', '2024-05-06T01:38:00.000Z'],
    // Clocks show 2:30 twice.
    ['2024-10-27T02:30', '2024-10-27T00:30:00.000Z'],
  ])('reads the time %s in the stated zone', async (text, time) => {
    expect((await rowOf({ born: text })).born).toStrictEqual(new Date(time));
  });

  it.each([
    ['2024-03-31T01:59:59.999', '2024-03-31T00:59:59.999Z'],
    ['2024-03-31T03:00', '2024-03-31T01:00:00.000Z'],
    // A time with an offset always exists.
    ['2024-03-31T02:30+01:00', '2024-03-31T01:30:00.000Z'],
  ])('reads the time %s beside the hour that clocks leave out', async (text, time) => {
    expect((await rowOf({ born: text })).born).toStrictEqual(new Date(time));
  });

  it.each([
    // Clocks go from 0:00 to 1:00 at the start of this day.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ])('reads in the zone %s the day %s as its first moment', async (timeZone, text, time) => {
    expect((await rowOf({ born: text }, { timeZone })).born).toStrictEqual(new Date(time));
  });

  it('refuses a day that a zone has left out', async () => {
    const data = dataOf({ name: 'Ann', born: '2011-12-30' });
    const options = { values: keys, timeZone: 'Pacific/Apia', messages: english };

    const { issues } = await readForm(data, guests, options);
    expect(issues!.map(({ message }) => message)).toEqual(['This date or time does not exist.']);
  });

  it('reads a precise time with each of its digits', async () => {
    expect((await rowOf({ seen: '2024-05-06T07:08:09.1234567' })).seen).toBe(
      '2024-05-06T05:08:09.1234567Z',
    );
    expect((await rowOf({ seen: '1969-12-31T23:59' })).seen).toBe('1969-12-31T22:59:00Z');
  });

  it.each([
    ['age', '1e1'],
    ['age', '1.0'],
    ['age', '1.900'],
    ['age', '1,900'],
    ['age', '1\u00a0900'],
    ['age', '99999999999'],
    ['age', 'seven'],
    ['chip', '9223372036854775808'],
    ['chip', '5n'],
    ['weight', '1,5'],
    ['weight', '1.900,5'],
    ['weight', '1e999'],
    ['weight', 'Infinity'],
    ['weight', '0x10'],
    // Their digits before the point would change.
    ['weight', '9007199254740993'],
    ['weight', '9007199254740993.5'],
    ['weight', '1152921504606847001'],
    ['agreed', 'maybe'],
    ['born', '2024-02-30'],
    ['born', '2024-05-06T25:00'],
    ['born', '2024-05-06T07:08:09.1234567'],
    ['born', 'today'],
    // Clocks leave out this hour.
    ['born', '2024-03-31T02:00'],
    ['born', '2024-03-31T02:59:59.999'],
    ['seen', '2024-03-31T02:30'],
    ['seen', '2024-05-06T07:08:09.12345678'],
    ['tag', 'a455c695'],
    ['photo', 'AAAA'],
  ])('finds that %s cannot be %j', async (name, text) => {
    expect((await issuesOf({ [name]: text })).map((issue) => issue.name)).toEqual([name]);
  });

  it('finds at once that a long text is no number', async () => {
    const started = performance.now();

    expect(await issuesOf({ weight: `${'1'.repeat(200_000)}x` })).toHaveLength(1);
    // By each pair of digits, it would be minutes.
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('takes an empty text for no value, and a Boolean without an entry for false', async () => {
    const row = await rowOf({ kind: '', age: '', chip: ' ', weight: '', born: '', tag: '' });

    expect(row).toEqual({ ...keys, name: 'Ann', agreed: false });
    expect(namesOf(await issuesOf({ name: '' }))).toEqual(['name schema-required']);
  });

  it('reads the bytes of a file, and of a large one only the start', async () => {
    const photo = new File([Uint8Array.of(1, 2, 3)], 'a.png');
    expect((await rowOf({ photo })).photo).toEqual(Uint8Array.of(1, 2, 3));
    expect(await rowOf({ photo: new File([], '') })).not.toHaveProperty('photo');

    const [issue] = await issuesOf({ photo: new File([new Uint8Array(2e6)], 'a.png') });
    expect(issue).toMatchObject({ name: 'photo', rule: 'binary-length' });
    expect((issue!.value as Uint8Array).length).toBe(1_048_577);
  });

  it.each([
    ['false', 'true'],
    ['true', 'false'],
  ])('takes %s and %s for a box that is checked, beside a hidden control', async (...texts) => {
    const data = dataOf({ name: 'Ann' });
    for (const text of texts) data.append('agreed', text);

    expect(await readForm(data, guests, OPTIONS)).toMatchObject({ value: { agreed: true } });
  });

  it('refuses several values of one property', async () => {
    const data = dataOf({ name: 'Ann' });
    data.append('kind', 'dog');
    data.append('kind', 'cat');

    const { issues } = await readForm(data, guests, OPTIONS);
    expect(namesOf(issues!)).toEqual(['kind value-type']);
  });

  it('reads only the named properties, and replaces keys of the request', async () => {
    const row = await rowOf(
      { partitionKey: 'admins', age: '3', csrf: 'x' },
      { properties: ['name', 'partitionKey'] },
    );

    expect(row).toEqual({ ...keys, name: 'Ann', agreed: false });
  });

  it('makes values of what was read', async () => {
    const row = await rowOf(
      {},
      { values: ({ name }: { name?: string }) => ({ partitionKey: 'p', rowKey: `${name}!` }) },
    );

    expect(row.rowKey).toBe('Ann!');
  });

  it('does not guess the zone of a time', async () => {
    const data = dataOf({ name: 'Ann' });

    // Not only a request that has a time is refused.
    const error = await rejection(readForm(data, guests, { values: keys }));
    expect(error).toMatchObject({ name: 'TableError', code: 'InvalidInput' });
    expect(error).toHaveProperty('message', expect.stringMatching(/timeZone.*"born"/));
    const given = await rejection(readForm(data, guests, { values: () => keys }));
    expect(given).toMatchObject({ code: 'InvalidInput' });
  });

  it('needs no zone where a request can set no time', async () => {
    const sent = dataOf({ name: 'Ann', born: '2024-05-06', seen: '2024-05-06' });

    const listed = await readForm(sent, guests, { values: keys, properties: ['name'] });
    expect(listed).toEqual({ value: { ...keys, name: 'Ann', agreed: false } });
    const values = { ...keys, born: new Date('2024-01-01T00:00Z'), seen: undefined };
    expect(await readForm(sent, guests, { values })).toEqual({
      value: { ...keys, born: values.born, name: 'Ann', agreed: false },
    });
  });

  it('says what is wrong in the words of the messages', async () => {
    const data = dataOf({ name: 'A', age: '200' });
    const { issues } = await readForm(data, guests, { ...OPTIONS, messages: english });
    const own = await readForm(data, guests, {
      ...OPTIONS,
      messages: Promise.resolve(({ name }: FormIssue) => (name === 'age' ? 'old!' : undefined)),
    });

    expect(issues!.map(({ message }) => message)).toEqual([
      'Please enter at least 2 characters. So far: 1.',
      'Please enter 150 or less.',
    ]);
    expect(own.issues!.map(({ message }) => message)).toEqual([
      expect.stringContaining('Property "name"'),
      'old!',
    ]);
  });

  it.each([
    // In Berlin, 2000 begins an hour before the minimum.
    ['2000-01-01', 'The earliest is Jan 2, 2000.'],
    ['2000-01-01T00:30', 'The earliest is Jan 1, 2000, 1:00 AM.'],
  ])('names for %s the limit as a day, or with its time', async (text, message) => {
    const data = dataOf({ name: 'Ann', born: text });
    const { issues } = await readForm(data, guests, { ...OPTIONS, messages: english });

    expect(issues!.map((issue) => issue.message.replaceAll('\u202f', ' '))).toEqual([message]);
  });

  it.each([
    ['seen', '1600-12-31T23:00Z', 'The earliest is Jan 1, 1601.'],
    ['seen', '0050-01-01', 'The earliest is Jan 1, 1601.'],
    ['born', '0001-01-01T00:00+01:00', 'The earliest is Jan 1, 1601.'],
    ['born', '9999-12-31T23:59-01:00', 'The latest is Dec 31, 9999, 11:59 PM.'],
    ['seen', '9999-12-31T23:59-01:00', 'The latest is Dec 31, 9999, 11:59 PM.'],
  ])('says that %s cannot be as early or late as %s', async (name, text, message) => {
    const data = dataOf({ name: 'Ann', [name]: text });
    const options = { values: keys, timeZone: 'UTC', messages: english };
    const { issues } = await readForm(data, guests, options);

    expect(issues!.map((issue) => issue.message.replaceAll('\u202f', ' '))).toEqual([message]);
  });

  it('has the types of the table', async () => {
    const timeZone = 'UTC';
    const result = await readForm(dataOf({}), guests, { values: { partitionKey: 'p' }, timeZone });

    if (!result.issues) expectTypeOf(result.value).toEqualTypeOf<Infer<typeof guests>>();
    // As in the example of its documentation.
    const { value, issues } = await readForm(dataOf({}), guests, { timeZone });
    expectTypeOf(issues).toEqualTypeOf<readonly FormIssue[] | undefined>();
    if (issues) expectTypeOf(value).toEqualTypeOf<undefined>();
    else expectTypeOf(value).toEqualTypeOf<Infer<typeof guests>>();
    // @ts-expect-error: no such property.
    const misspelt = readForm(dataOf({}), guests, { properties: ['nmae'] });
    await expect(misspelt).rejects.toThrow('The table has no property "nmae".');
    // @ts-expect-error: of another type.
    await readForm(dataOf({}), guests, { values: { partitionKey: 5 }, timeZone });
  });
});

describe('fillForm', () => {
  it('makes entries that readForm reads as the same values', async () => {
    const row = {
      ...{ ...keys, name: 'Ann', kind: 'dog' as const, age: 36, chip: 2n ** 63n - 1n },
      ...{ weight: 1e-7, agreed: true, born: new Date('2024-05-06T07:08:09.123Z') },
      ...{ seen: '2024-05-06T07:08:09.1234567Z', tag: 'a455c695-df98-5678-aaaa-81d3367e5a34' },
      photo: Uint8Array.of(0, 255),
    };
    const data = new FormData();

    fillForm(data, row);

    expect(await readForm(data, guests, { timeZone: 'UTC' })).toEqual({ value: row });
  });

  it('writes values that an untyped client read, and removes what has no value', async () => {
    const data = dataOf({ name: 'Ann', age: '3' });

    fillForm(data, { age: undefined, tag: { type: 'Guid', value: 'x' } });

    expect([...data]).toEqual([
      ['name', 'Ann'],
      ['tag', 'x'],
    ]);
  });

  it('refuses what is no form', () => {
    expect(() => fillForm(null, {})).toThrow(TypeError);
  });
});
