// What lets a submit through, and what does not.

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { loadValidator } from '../../../js/src/index.js';
import { bind } from './bound.js';
import { deferred } from './support.js';

beforeAll(async () => {
  await loadValidator();
});

const NAME = '<input name="name" value="Ann"><button>Send</button>';

describe('a check', () => {
  test('that cannot be made refuses the submit, which can be tried again', async () => {
    const report = vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    // Other files of tests in this page spy on it, too.
    report.mockClear();
    const check = vi.fn<() => Promise<undefined>>();
    check.mockRejectedValueOnce(new Error('offline'));
    const { bound, error, form, onSubmit } = await bind(NAME, { checks: { name: check } });
    form.requestSubmit();

    const message = 'This could not be checked. Please try again.';
    await vi.waitFor(() => expect(error('name')).toBe(message));
    await vi.waitFor(() => expect(bound.isBusy).toBe(false));
    expect(onSubmit).not.toHaveBeenCalled();
    expect(report).toHaveBeenCalledExactlyOnceWith(new Error('offline'));

    form.requestSubmit();
    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
    expect(error('name')).toBe('');
  });

  test('that cannot be made has an issue, for messages of the app', async () => {
    vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    const fail = () => {
      throw new Error('offline');
    };
    const options = { checks: { name: fail }, messages: undefined };
    const { bound } = await bind(NAME, options);
    const issue = { name: 'name', path: ['name'], message: 'The check failed: offline' };
    expect(await bound.validate()).toEqual({ issues: [issue] });

    const messages = ({ isUnchecked }: { isUnchecked?: true | undefined }) =>
      isUnchecked && 'Are you online?';
    const other = await bind(NAME, { ...options, messages });
    expect(await other.bound.validate()).toMatchObject({
      issues: [{ message: 'Are you online?' }],
    });
  });

  test('is made of the value that is submitted', async () => {
    const first = deferred<undefined>();
    const check = vi.fn((name: string) => (name === 'Ann' ? first.promise : `${name} is taken.`));
    const { control, error, form, onSubmit } = await bind(NAME, { checks: { name: check } });
    form.requestSubmit();
    await vi.waitFor(() => expect(check).toHaveBeenCalledOnce());
    await userEvent.fill(control('name'), 'Bob');
    first.resolve(undefined);

    await vi.waitFor(() => expect(error('name')).toBe('Bob is taken.'));
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

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
