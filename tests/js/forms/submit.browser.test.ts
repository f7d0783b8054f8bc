// What lets a submit through, and what does not.

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { loadValidator } from '../../../js/src/index.js';
import { bind } from './bound.js';

beforeAll(async () => {
  await loadValidator();
});

const NAME = '<input name="name" value="Ann"><button>Send</button>';

describe('an event of the form that the app prevents', () => {
  test('is no submit', async () => {
    const { bound, form, onSubmit } = await bind(NAME);
    const events: Event[] = [];
    const prevent = (event: Event) => {
      event.preventDefault();
      events.push(event);
    };
    form.addEventListener('submit', prevent, { capture: true });
    form.requestSubmit();
    expect(bound.isBusy).toBe(false);
    await bound.validate();
    expect(events).toHaveLength(1);
    expect(onSubmit).not.toHaveBeenCalled();

    form.removeEventListener('submit', prevent, { capture: true });
    form.requestSubmit();
    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  });

  test('is no reset', async () => {
    const { bound, form, control } = await bind(`${NAME}<input name="photo" type="file">`);
    await bound.fill({ photo: Uint8Array.of(1, 2) });
    await userEvent.fill(control('name'), 'Bob');
    form.addEventListener('reset', (event) => event.preventDefault());
    form.reset();
    // The form reads its controls after the event.
    await new Promise((resolve) => setTimeout(resolve));

    const row = { name: 'Bob', photo: Uint8Array.of(1, 2) };
    expect(await bound.validate()).toMatchObject({ value: row });
  });
});
