// Rules of HTML that the definition does not have, in the words of the messages.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { bindForm, type FormIssue, type MessageFunction } from '../../../js/src/forms.js';
import { messages as german } from '../../../js/src/forms/messages/de.js';
import { loadValidator } from '../../../js/src/index.js';
import { makePlace } from '../views/support.js';
import { guests, keys } from './support.js';

beforeAll(async () => {
  await loadValidator();
});

/** Validates a form with these controls, beside one for the name. */
async function validate(html: string, messages: typeof german | MessageFunction) {
  const form = document.createElement('form');
  form.innerHTML = html.includes('"name"') ? html : `<input name="name" value="Ann">${html}`;
  makePlace().append(form);
  const bound = bindForm(form, guests, {
    ...{ values: keys, timeZone: 'America/New_York', messages, onSubmit: () => {} },
  });
  onTestFinished(() => bound.unbind());
  await bound.ready;
  const { issues = [] } = await bound.validate();
  const errors = [...form.querySelectorAll('[data-error]:not(:empty)')];
  return { issues, shown: errors.map(({ textContent }) => textContent) };
}

describe('the browser finds', () => {
  test.each([
    [
      '<input name="name" type="email" value="ann">',
      'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    ],
    [
      '<input name="name" type="url" value="ann">',
      'Bitte geben Sie eine Internetadresse ein, zum Beispiel https://example.com.',
    ],
    ['<input name="age" type="number" min="18" value="17">', 'Bitte geben Sie 18 oder mehr ein.'],
    [
      '<input name="weight" type="number" max="2.5" value="3">',
      'Bitte geben Sie 2,5 oder weniger ein.',
    ],
    ['<input name="age" type="number" step="5" value="7">', 'Bitte prüfen Sie diese Angabe.'],
    [
      '<input name="born" type="date" min="2020-01-02" value="2020-01-01">',
      'Frühestens möglich: 02.01.2020.',
    ],
    ['<input name="age" required>', 'Bitte füllen Sie dieses Feld aus.'],
    [
      '<input name="code" pattern="[a-c]*" title="Nur a bis c." value="abd">',
      'Diese Angabe hat nicht die erwartete Form. Nur a bis c.',
    ],
  ])('what is wrong with %s', async (html, message) => {
    const { issues, shown } = await validate(html, german);

    expect(issues.map((issue) => issue.message)).toEqual([message]);
    expect(shown).toEqual([message]);
  });

  test('nothing more where the definition has found something', async () => {
    const { issues } = await validate('<input name="age" type="number" value="-1">', german);

    expect(issues.map(({ rule }) => rule)).toEqual(['schema-minimum']);
  });

  test('it, and a function is told what; without an answer, its own words stay', async () => {
    const told: FormIssue[] = [];
    const { issues } = await validate('<input name="name" type="email" value="ann">', (issue) => {
      told.push(issue);
      return undefined;
    });

    expect(told.at(-1)).toMatchObject({ name: 'name', rule: 'schema-type', kind: 'email' });
    expect(told.at(-1)).not.toHaveProperty('code');
    expect(issues[0]!.message).toContain('@');
  });
});
