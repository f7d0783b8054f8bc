// Forms that show a stored row.

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { loadValidator } from '../../../js/src/index.js';
import { bind } from './bound.js';
import { keys } from './support.js';

beforeAll(async () => {
  await loadValidator();
});

const CONTROLS = `
  <input name="name"><textarea name="code"></textarea><input name="weight" type="number">
  <input name="photo" type="file" required>
  <input name="born" type="date"><input name="seen" type="datetime-local">`;

const row = {
  ...{ name: 'Ann', code: 'abc', weight: 5e-324, agreed: true },
  photo: Uint8Array.of(1, 2),
  born: new Date('2024-05-06T07:08:09.123Z'),
  seen: '2024-05-06T07:08:09.1234567Z',
};

describe('a form that is filled', () => {
  test('has the row as it was, though its controls show less of it', async () => {
    const { bound, control } = await bind(CONTROLS, { values: { ...keys, agreed: true } });

    await bound.fill(row);

    expect(control('born').value).toBe('2024-05-06');
    expect(await bound.validate()).toEqual({ value: { ...keys, ...row } });
  });

  test('has what the user changes, and the rest as it was', async () => {
    const { bound, control } = await bind(CONTROLS, { values: { ...keys, agreed: true } });
    await bound.fill(row);

    await userEvent.fill(control('born'), '2024-05-07');
    await userEvent.upload(control('photo'), new File([Uint8Array.of(3)], 'a.bin'));
    await vi.waitFor(() => expect(bound.isBusy).toBe(false));

    const changed = { photo: Uint8Array.of(3), born: new Date('2024-05-07T00:00:00Z') };
    expect(await bound.validate()).toEqual({ value: { ...keys, ...row, ...changed } });
    await userEvent.fill(control('born'), '');
    expect(await bound.validate()).not.toHaveProperty('value.born');
  });

  test('has a file that was chosen before', async () => {
    const { bound, control } = await bind(CONTROLS, { values: { ...keys, agreed: true } });
    await userEvent.upload(control('photo'), new File([Uint8Array.of(3)], 'a.bin'));

    await bound.fill(row);

    expect(await bound.validate()).toMatchObject({ value: { photo: Uint8Array.of(3) } });
  });

  test('has nothing of the row after a reset', async () => {
    const { bound, form } = await bind('<input name="name"><input name="photo" type="file">');
    await bound.fill(row);
    form.reset();
    await vi.waitFor(async () => expect(await bound.validate()).toHaveProperty('issues'));

    await bound.fill({ name: 'Bob' });
    expect(await bound.validate()).toEqual({ value: { ...keys, name: 'Bob', agreed: false } });
  });
});
