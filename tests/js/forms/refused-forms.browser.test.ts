// What bindForm refuses at once, because no user could submit such a form.

import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { bindForm, type BindOptions } from '../../../js/src/forms.js';
import { messages as english } from '../../../js/src/forms/messages/en.js';
import { loadValidator } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { makePlace } from '../views/support.js';
import { guests, keys } from './support.js';

beforeAll(async () => {
  await loadValidator();
});

type Options = BindOptions<(typeof guests)['properties']>;

function formOf(html: string): HTMLFormElement {
  const form = document.createElement('form');
  form.innerHTML = html;
  makePlace().append(form);
  return form;
}

const refusal = (sentence: string | RegExp) =>
  expect.objectContaining({
    code: 'InvalidInput',
    message: expect.stringMatching(sentence) as string,
  });

const onSubmit = () => {};

describe('bindForm refuses', () => {
  test.each([
    [
      'no control and no value',
      '<input name="name">',
      {},
      /property "partitionKey" has no control/,
    ],
    [
      'a control in the wrong case',
      '<input name="name"><input name="rowkey"><input name="rowKey " type="hidden">',
      { values: { partitionKey: 'p' } },
      /property "rowKey" .* no property: "rowkey", "rowKey "\.$/,
    ],
    [
      'a control that the form may not set',
      '<input name="name"><input name="age">',
      { values: keys, properties: ['age'] },
      /property "name" has no control, .* no property: "name"\.$/,
    ],
    ['an undefined value', '', { values: { ...keys, name: undefined } }, /property "name"/],
  ] as const)('a required property with %s', (_, html, options, sentence) => {
    const form = formOf(html);
    const before = form.outerHTML;

    const bind = () => bindForm(form, guests, { ...options, onSubmit } as Options);

    expect(bind).toThrow(refusal(sentence));
    expect(form.outerHTML).toBe(before);
    expect(form.noValidate).toBe(false);
  });

  test('a value that would replace what the user types', () => {
    const form = formOf('<input name="name"><input name="age" type="hidden">');
    const bind = (values: object) => () => bindForm(form, guests, { values, onSubmit } as Options);

    expect(bind({ ...keys, name: 'Ann' })).toThrow(refusal(/a value for "name", .* fill\(\)/));
    bind({ ...keys, name: undefined, age: 5 })().unbind();
    bind(() => ({ ...keys, name: 'Ann' }))().unbind();
  });

  test('no form whose values come from a function, and names the property that has none', async () => {
    const form = formOf('<input name="name" value="Ann">');
    const values = () => ({ partitionKey: 'p' });
    const bound = bindForm(form, guests, { values, messages: english, onSubmit });
    onTestFinished(() => bound.unbind());
    await bound.ready;
    form.requestSubmit();

    const alert = form.querySelector('[role=alert]')!;
    await vi.waitFor(() => expect(alert.textContent).toBe('rowKey: Please fill in this field.'));
  });

  test('values from a function after its end', async () => {
    const form = formOf('<input name="name" value="Ann">');
    const values = vi.fn(() => keys);
    const bind = () => bindForm(form, guests, { values, messages: english, onSubmit });
    const early = bind();
    early.unbind();
    values.mockClear();
    await early.ready;
    expect(values).not.toHaveBeenCalled();

    const bound = bind();
    await bound.ready;
    form.reset();
    bound.unbind();
    values.mockClear();
    // The controls are reset after the event.
    await new Promise((resolve) => setTimeout(resolve));

    expect(values).not.toHaveBeenCalled();
  });

  test('no form for its optional properties, and those with a default', () => {
    const bound = bindForm(formOf('<input name="name">'), guests, { values: keys, onSubmit });

    bound.unbind();
  });

  test('options that it does not have, and wants those that it needs', async () => {
    const form = formOf('<input name="name">');
    const account = await openForTest({ storage: memoryStorage() });
    const bind = (options: Options) => () => bindForm(form, guests, options);

    // @ts-expect-error: onSubmit is missing.
    expect(bind({ values: keys })).toThrow(refusal(/needs the option onSubmit/));
    const lower = { values: keys, onsubmit: onSubmit };
    // @ts-expect-error: the same.
    expect(bind(lower)).toThrow(refusal(/no option onsubmit\. It takes .*onSubmit/));
    const both = { values: keys, onSubmit };
    // @ts-expect-error: there is no such option.
    expect(bind({ ...both, message: english })).toThrow(refusal(/no option message/));
    // @ts-expect-error: a draft needs an account.
    expect(bind({ ...both, draft: 'x' })).toThrow(refusal(/option account for a draft/));
    // @ts-expect-error: the same.
    expect(bind({ ...both, draft: 'x', account: undefined })).toThrow(refusal(/account/));
    // @ts-expect-error: the table has no such property.
    expect(bind({ ...both, checks: { nope: () => 'x' } })).toThrow(refusal(/check .*"nope"/));
    const checks = { age: () => 'x' };
    expect(bind({ ...both, checks, properties: ['name'] })).toThrow(refusal(/check .*"age"/));
    bind({ ...both, account, checks })().unbind();
    const bound = bind({ ...both, account, draft: 'x' })();
    onTestFinished(() => bound.unbind());
    await bound.ready;
  });
});
