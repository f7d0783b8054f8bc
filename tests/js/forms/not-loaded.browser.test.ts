// A form whose scripts cannot be loaded.
//
// isolated: no file before it may have loaded the scripts of forms.

import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { bindForm } from '../../../js/src/forms.js';
import { loadValidator } from '../../../js/src/index.js';
import { makePlace } from '../views/support.js';
import { guests, keys } from './support.js';

const network = vi.hoisted(() => ({ isThere: true }));

vi.mock(import('../../../js/src/base/loaded.js'), async (load) => {
  const { loaded } = await load();
  return {
    loaded: <T>(script: Promise<T>, options?: { stored?: number }) =>
      loaded(network.isThere ? script : Promise.reject<T>(new Error('offline')), options),
  };
});

beforeAll(async () => {
  await loadValidator();
  network.isThere = false;
});

function bindWith(onSubmit: () => unknown) {
  const form = document.createElement('form');
  form.innerHTML = '<input name="name" value="A"><button>Send</button>';
  makePlace().append(form);
  const bound = bindForm(form, guests, { values: keys, onSubmit });
  onTestFinished(() => bound.unbind());
  return { bound, form, name: form.querySelector('input')! };
}

describe('a form whose scripts cannot be loaded', () => {
  test('says so, and leaves the messages to the browser', async () => {
    const onSubmit = vi.fn<() => unknown>();
    const { bound, form, name } = bindWith(onSubmit);

    await expect(bound.ready).rejects.toMatchObject({ code: 'ScriptNotLoaded' });
    expect(form.noValidate).toBe(false);
    expect(name.validity.customError).toBe(true);
    form.requestSubmit();
    expect(onSubmit).not.toHaveBeenCalled();

    name.value = 'Ann';
    name.dispatchEvent(new InputEvent('input', { bubbles: true }));
    form.requestSubmit();
    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  });

  test('reports why a submit fails', async () => {
    const report = vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    // Other files of tests in this page spy on it, too.
    report.mockClear();
    const refused = new Error('no room');
    const { bound, form, name } = bindWith(() => Promise.reject(refused));
    await expect(bound.ready).rejects.toMatchObject({ code: 'ScriptNotLoaded' });
    name.value = 'Ann';
    name.dispatchEvent(new InputEvent('input', { bubbles: true }));

    form.requestSubmit();
    await vi.waitFor(() => expect(report).toHaveBeenCalledExactlyOnceWith(refused));
  });
});
