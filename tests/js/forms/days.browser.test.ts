// Controls for days: their limits are days, too.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { bindForm } from '../../../js/src/forms.js';
import { messages as english } from '../../../js/src/forms/messages/en.js';
import { loadValidator } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { makePlace } from '../views/support.js';
import { bind } from './bound.js';
import { keys } from './support.js';

beforeAll(async () => {
  await loadValidator();
});

// In Zurich, 1900 begins an hour before the minimum.
const born = t.dateTime({
  minimum: new Date('1900-01-01T00:00Z'),
  maximum: new Date('2023-12-31T23:30Z'),
});

/** Binds a form with one control for a day in Zurich. */
async function bindBorn(property = born) {
  const table = defineTable('People', {
    ...{ partitionKey: t.string(), rowKey: t.string(), born: property },
  });
  const form = document.createElement('form');
  form.innerHTML = '<input name="born" type="date">';
  makePlace().append(form);
  const bound = bindForm(form, table, {
    ...{ values: keys, timeZone: 'Europe/Zurich', messages: english, onSubmit: () => {} },
  });
  onTestFinished(() => bound.unbind());
  await bound.ready;
  const control = form.querySelector('input')!;
  const messageFor = async (value: string) => {
    control.value = value;
    const { issues = [] } = await bound.validate();
    return issues.map(({ message }) => message).join();
  };
  return { bound, control, messageFor };
}

describe('a control for days', () => {
  test('has the first and the last day that the form accepts', async () => {
    const { control, messageFor } = await bindBorn();

    expect(control).toMatchObject({ min: '1900-01-02', max: '2024-01-01' });
    expect(await messageFor('1900-01-02')).toBe('');
    expect(await messageFor('2024-01-01')).toBe('');
  });

  test('has messages that name a day', async () => {
    const { messageFor } = await bindBorn();

    expect(await messageFor('1900-01-01')).toBe('The earliest is Jan 2, 1900.');
    expect(await messageFor('2024-01-02')).toBe('The latest is Jan 1, 2024.');
  });

  test('says the same of a limit that is not allowed itself', async () => {
    const exclusiveMinimum = new Date('1899-12-31T23:00Z');
    const exclusiveMaximum = new Date('2023-12-31T23:00Z');
    const { control, messageFor } = await bindBorn(
      t.dateTime({ exclusiveMinimum, exclusiveMaximum }),
    );

    expect(control).toMatchObject({ min: '1900-01-02', max: '2023-12-31' });
    expect(await messageFor('1900-01-01')).toBe('The earliest is Jan 2, 1900.');
    expect(await messageFor('2024-01-01')).toBe('The latest is Dec 31, 2023.');
  });

  test('says that a day is too early for a DateTime', async () => {
    const { messageFor } = await bindBorn(t.dateTime());

    // 1601 in UTC begins after the day in Zurich does.
    expect(await messageFor('1601-01-01')).toBe('The earliest is Jan 2, 1601.');
    expect(await messageFor('0001-01-01')).toBe('The earliest is Jan 2, 1601.');
    expect(await messageFor('1601-01-02')).toBe('');
  });

  test('keeps a time that is filled, though its day begins before the minimum', async () => {
    const { bound } = await bindBorn();
    const row = { ...keys, born: new Date('1900-01-01T12:00Z') };

    await bound.fill(row);

    expect(await bound.validate()).toEqual({ value: row });
  });
});

test('a control for times says that clocks leave out what was typed', async () => {
  const { bound, control } = await bind(
    '<input name="name" value="Ann"><input name="born" type="datetime-local">',
    { timeZone: 'Europe/Zurich' },
  );
  control('born').value = '2024-03-31T02:30';

  const { issues } = await bound.validate();
  expect(issues?.map(({ message }) => message)).toEqual(['This date or time does not exist.']);
});
