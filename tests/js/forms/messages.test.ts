import { describe, expect, it } from 'vitest';

import { messagesFor, readForm, type Texts } from '../../../js/src/forms.js';
import type { FormIssue } from '../../../js/src/forms/models.js';
import { issueTexts } from '../../../js/src/forms/issue-texts.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { dataOf, keys } from './support.js';

const TAGS = ['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'th', 'zh'];

const PLURALS = ['tooShort', 'tooLong', 'summary'] as const;

// What each text needs; others have nothing to fill in.
const HOLES: Partial<Record<keyof Texts, string[]>> = {
  ...{ tooShort: ['actual', 'limit'], tooLong: ['actual', 'limit'], summary: ['count'] },
  ...{ fileTooSmall: ['limit'], fileTooLarge: ['limit'], multipleOf: ['limit'] },
  ...{ minimum: ['limit'], maximum: ['limit'], above: ['limit'], below: ['limit'] },
  ...{ earliest: ['limit'], latest: ['limit'], after: ['limit'], before: ['limit'] },
  character: ['character'],
};

const holesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

describe.each(TAGS)('the messages in %s', (tag) => {
  it('have every plural form of the language, and every hole', async () => {
    const texts = await messagesFor([tag]);
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();

    expect(texts.language).toBe(tag);
    for (const name of PLURALS) {
      expect(Object.keys(texts[name]).sort(), name).toEqual([...pluralCategories].sort());
    }
    for (const [name, text] of Object.entries(texts) as [keyof Texts, string | object][]) {
      const forms: string[] = typeof text === 'string' ? [text] : Object.values(text);
      for (const form of forms) {
        expect(form.trim(), name).not.toBe('');
        expect(holesOf(form), `${name}: ${form}`).toEqual(HOLES[name] ?? []);
      }
    }
  });

  it('are not those of another language', async () => {
    const others = await Promise.all(
      TAGS.filter((one) => one !== tag).map((one) => messagesFor([one])),
    );
    const texts = await messagesFor([tag]);

    for (const [name, text] of Object.entries(texts)) {
      for (const other of others) expect(other[name as keyof Texts]).not.toEqual(text);
    }
  });
});

describe('messagesFor', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['cy', 'FR-ca'], 'fr'],
    [['zh-Hant-TW'], 'zh'],
    [['cy'], 'en'],
    [['constructor'], 'en'],
    [[], 'en'],
  ])('chooses for %j the language %s', async (languages, chosen) => {
    expect((await messagesFor(languages)).language).toBe(chosen);
  });
});

describe('a message', () => {
  const messageIn = async (language: string, issue: Partial<FormIssue>) =>
    issueTexts(await messagesFor([language])).messageOf({ message: 'message', ...issue });

  it.each<[string, Partial<FormIssue>, string]>([
    ['en', { rule: 'schema-required' }, 'Please fill in this field.'],
    ['en', { rule: 'key-missing', kind: 'choice' }, 'Please choose an option.'],
    ['en', { rule: 'schema-required', kind: 'box' }, 'Please tick this box.'],
    ['de', { rule: 'schema-required', kind: 'file' }, 'Bitte wählen Sie eine Datei aus.'],
    [
      'en',
      { rule: 'schema-min-length', limit: 1, actual: 0 },
      'Please enter at least 1 character. So far: 0.',
    ],
    [
      'fr',
      { rule: 'schema-max-length', limit: 12345, actual: 20000 },
      'Veuillez saisir au plus 12345 caractères. Actuellement : 20000.',
    ],
    ['en', { rule: 'schema-type', type: 'Int32', value: 'x' }, 'Please enter a whole number.'],
    [
      'en',
      { rule: 'schema-type', type: 'Int32', value: 1e12 },
      'This number is too large or too small.',
    ],
    ['en', { rule: 'int64-range', type: 'Int64' }, 'This number is too large or too small.'],
    ['nl', { rule: 'schema-type', type: 'Double', value: 'x' }, 'Vul een getal in.'],
    [
      'en',
      { rule: 'schema-type', type: 'Double', value: '-9007199254740993' },
      'This number has too many digits.',
    ],
    [
      'en',
      { rule: 'schema-type', type: 'Double', value: '1e999' },
      'This number is too large or too small.',
    ],
    ['en', { rule: 'date-time-format', type: 'DateTime' }, 'Please enter a date.'],
    [
      'en',
      { rule: 'schema-type', type: 'DateTime', value: '2024-03-31T02:30' },
      'This date or time does not exist.',
    ],
    // A precise time that cannot be read is a list with its text.
    [
      'de',
      { rule: 'schema-type', type: 'DateTime', value: ['2024-02-30'] },
      'Dieses Datum oder diese Uhrzeit gibt es nicht.',
    ],
    ['en', { rule: 'schema-type', type: 'DateTime', value: 'today' }, 'Please enter a date.'],
    [
      'de',
      { rule: 'schema-minimum', type: 'Double', expected: 12345.5 },
      'Bitte geben Sie 12345,5 oder mehr ein.',
    ],
    // No number has a separator that the form would refuse.
    [
      'de',
      { rule: 'schema-minimum', type: 'Int32', expected: 1900 },
      'Bitte geben Sie 1900 oder mehr ein.',
    ],
    [
      'en',
      { rule: 'schema-maximum', type: 'Int32', expected: -10_000 },
      'Please enter -10000 or less.',
    ],
    [
      'de',
      { rule: 'schema-type', type: 'String', kind: 'email' },
      'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    ],
    [
      'nl',
      { rule: 'schema-type', type: 'String', kind: 'url' },
      'Vul een webadres in, zoals https://example.com.',
    ],
    ['en', { rule: 'schema-required', kind: 'email' }, 'Please fill in this field.'],
    [
      'en',
      { rule: 'schema-exclusive-minimum', expected: 2n ** 60n },
      'Please enter more than 1152921504606846976.',
    ],
    [
      'en',
      {
        rule: 'schema-minimum',
        type: 'DateTime',
        expected: new Date('2024-05-05T22:00Z'),
        timeZone: 'Europe/Berlin',
      },
      'The earliest is May 6, 2024.',
    ],
    [
      'en',
      {
        rule: 'schema-exclusive-maximum',
        type: 'DateTime',
        expected: new Date('2024-05-05T22:00Z'),
        day: '2024-05-05',
        timeZone: 'Europe/Berlin',
      },
      'The latest is May 5, 2024.',
    ],
    [
      'de',
      {
        rule: 'schema-exclusive-maximum',
        type: 'DateTime',
        expected: new Date('2024-05-05T22:00Z'),
        timeZone: 'Europe/Berlin',
      },
      'Der Zeitpunkt muss vor diesem liegen: 06.05.2024.',
    ],
    ['en', { rule: 'schema-minimum', type: 'Int32' }, 'Please check this entry.'],
    [
      'en',
      { rule: 'binary-length', limit: 65536, actual: 65537 },
      'This file is too large. The limit is 65.5 kB.',
    ],
    [
      'en',
      { rule: 'schema-min-bytes', limit: 8 },
      'This file is too small. It must be at least 8 bytes.',
    ],
    [
      'en',
      { rule: 'schema-pattern', hint: 'Three letters.' },
      'This does not have the expected form. Three letters.',
    ],
    ['en', { rule: 'key-character', character: '/' }, 'The character / cannot be used here.'],
    ['en', { code: 'EntityAlreadyExists' }, 'This entry exists already.'],
    [
      'en',
      { code: 'StorageQuotaExceeded' },
      'There is no room left on this device. Please make room and try again.',
    ],
    ['en', { code: 'StorageUnavailable' }, 'This could not be saved. Please try again.'],
  ])('in %s of %o is: %s', async (language, issue, message) => {
    expect(await messageIn(language, issue)).toBe(message);
  });

  it('is that of the rule, also if the message stays the same', async () => {
    const texts = issueTexts(await messagesFor(['en']));
    const issue = { name: 'mail', message: 'message', type: 'String', kind: 'email' } as const;

    expect(texts.messageOf(issue)).toBeUndefined();
    expect(texts.messageOf({ ...issue, rule: 'schema-type' })).toBe(
      'Please enter an e-mail address, like name@example.com.',
    );
  });

  it.each([
    [
      'Double',
      'many',
      '9007199254740993',
      'Please enter a number.',
      'This number has too many digits.',
    ],
    ['DateTime', 'soon', '2024-02-30', 'Please enter a date.', 'This date or time does not exist.'],
  ] as const)('is that of the %s, also if the message stays the same', async (type, ...given) => {
    const texts = issueTexts(await messagesFor(['en']));
    const issue = { name: 'size', message: 'It is of type String.', type } as const;
    const messageOf = (value: string) => texts.messageOf({ ...issue, rule: 'schema-type', value });

    expect(given.slice(0, 2).map(messageOf)).toEqual(given.slice(2));
  });

  it('of a check or of another validator stays as it is', async () => {
    expect(await messageIn('en', { rule: 'schema-refine' })).toBeUndefined();
    expect(await messageIn('en', {})).toBeUndefined();
    const table = defineTable('Checked', {
      ...{ partitionKey: t.string(), rowKey: t.string() },
      name: t.string().refine((name) => name !== 'bob', 'Not Bob again!'),
    });
    const { issues } = await readForm(dataOf({ name: 'bob' }), table, {
      ...{ values: keys, messages: messagesFor(['de']) },
    });
    expect(issues![0]!.message).toBe('Not Bob again!');
  });
});

// Checked by the compiler alone.
export function missing(texts: Texts<'other'>): void {
  const { failed: _, ...others } = texts;
  // @ts-expect-error: a text is missing.
  others satisfies Texts<'other'>;
  // @ts-expect-error: a plural form is missing.
  texts satisfies Texts<'one' | 'other'>;
}
