import { describe, expect, it } from 'vitest';

import { useBrowser, visitIn } from './support/browser.js';
import { hasFocus } from './support/demo-page.js';
import { eventually, isReady, visitForm, visitFormIn, type FormPage } from './support/form-page.js';

const browser = useBrowser();

const EMAIL = 'Please enter an e-mail address, like name@example.com.';

/** The languages, and what they say of a required field. */
const REQUIRED = {
  English: 'Please fill in this field.',
  中文: '请填写此项。',
  Nederlands: 'Vul dit veld in.',
  Français: 'Veuillez remplir ce champ.',
  Deutsch: 'Bitte füllen Sie dieses Feld aus.',
  Italiano: 'Compila questo campo.',
  日本語: 'この項目を入力してください。',
  한국어: '이 항목을 입력해 주세요.',
  Español: 'Rellene este campo.',
  ไทย: 'กรุณากรอกช่องนี้',
};

describe('messages', () => {
  it('appear when a field was left, and go when the value is right', async () => {
    const form = await visitForm(browser);
    const { keyboard } = form.page;

    await form.field('E-mail of the owner').focus();
    await keyboard.type('ann');
    expect(await form.message('E-mail of the owner')).toBe('');
    await keyboard.press('Tab');
    await form.seesMessage('E-mail of the owner', EMAIL);

    await keyboard.press('Shift+Tab');
    await keyboard.press('End');
    await keyboard.type('@example.com');
    await form.seesMessage('E-mail of the owner', '');
  });

  it('name the rule of each type', async () => {
    const form = await visitForm(browser);

    await form.type('Weight in kg', '12.34');
    await form.seesMessage('Weight in kg', 'Please enter a multiple of 0.1.');
    await form.type('Chip, 15 digits', '12');
    await form.seesMessage('Chip, 15 digits', 'Please enter 100000000000000 or more.');
    await form.type('Chip, 15 digits', 'none');
    await form.seesMessage('Chip, 15 digits', 'Please enter a whole number.');
    await form.field('Born').fill('1989-12-31');
    await form.field('Born').blur();
    await form.seesMessage('Born', 'The earliest is Jan 1, 1990.');
    const photo = { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(60_001) };
    await form.field('Photo').focus();
    await form.field('Photo').setInputFiles(photo);
    await form.field('Photo').blur();
    await form.seesMessage('Photo', 'This file is too large. The limit is 60 kB.');
  });

  it('come from a rule between two properties, too', async () => {
    const form = await visitForm(browser);
    await form.button('Fill in an example').click();
    await form.page.getByText('Ready to store').waitFor();

    await form.field('Next visit, UTC').fill('2021-05-03T12:00');
    await form.field('Next visit, UTC').blur();
    await form.seesMessage('Next visit, UTC', 'The visit cannot be before the birth.');
    await form.field('Born').fill('2021-05-02');
    await form.seesMessage('Next visit, UTC', '');
  });

  it('are listed after a submit, with links to their controls', async () => {
    const form = await visitForm(browser);
    await form.button('Fill in mistakes').click();

    await form.summary.getByText('Please correct 8 entries').waitFor();
    // The check of the whole row runs when nothing else is wrong.
    expect(await form.summary.getByRole('link').count()).toBe(8);
    await form.summary.getByRole('link', { name: 'Coat: Please choose an option.' }).click();
    expect(await hasFocus(form.field('Coat'))).toBe(true);
  });

  it('change at once to every language', async () => {
    const form = await visitForm(browser, { locale: 'de' });
    await form.button('Register the pet').click();
    await form.summary.waitFor();
    await form.seesMessage('Weight in kg', REQUIRED.Deutsch);

    for (const [language, required] of Object.entries(REQUIRED)) {
      await form.languages.selectOption(language);

      await form.seesMessage('Weight in kg', required);
      await eventually(() => form.summary.innerText()).toContain(`Weight in kg: ${required}`);
    }
  });

  it('keep the chosen language after a reload', async () => {
    const form = await visitForm(browser, { locale: 'en-US' });
    await form.languages.selectOption('日本語');
    await form.page.reload();
    await isReady(form);

    await form.type('Weight in kg', '');

    await form.seesMessage('Weight in kg', REQUIRED.日本語);
  });

  it('stay where they were in another language, and nothing else changes', async () => {
    const form = await visitForm(browser);
    await form.type('Name', 'Bella');
    await form.type('Notes', 'Afraid of thunder.');
    const photo = { name: 'bella.png', mimeType: 'image/png', buffer: Buffer.from('bella') };
    await form.field('Photo').setInputFiles(photo);

    await form.languages.selectOption('Deutsch');

    await form.seesMessage(
      'Name',
      'Diese Angabe hat nicht die erwartete Form. ' +
        'Verwenden Sie Kleinbuchstaben und Bindestriche, mit einem Buchstaben am Anfang.',
    );
    await form.seesMessage('E-mail of the owner', REQUIRED.Deutsch);
    expect(await form.message('Weight in kg')).toBe('');
    expect(await form.field('Notes').inputValue()).toBe('Afraid of thunder.');
    expect(await form.field('Photo').inputValue()).toContain('bella.png');
  });
});

describe('a sign-up with the keyboard alone', () => {
  it('stores an entity of all eight types, which the other page shows', async () => {
    const context = await browser.newContext({ locale: 'en-US' });
    const form = await visitFormIn(context);
    await signUp(form, 'bella');
    await eventually(() => form.entityRows()).toMatchObject(BELLA);
    const tag = (await form.entityRows())['tag'];
    await form.page.keyboard.press('Enter');

    await form.page.getByText('bella is registered.').waitFor();
    expect(await form.pets.allInnerTexts()).toHaveLength(1);
    expect(await form.field('Name').inputValue()).toBe('');
    await eventually(() =>
      hasFocus(form.page.getByRole('heading', { name: 'Register a pet' })),
    ).toBe(true);
    expect(tag).toMatch(/^Guid '[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}'$/);

    await form.page.getByRole('navigation').getByRole('link', { name: 'Tables' }).click();
    await form.page.getByRole('heading', { name: 'Pets', exact: true }).waitFor();
    await form.page.getByRole('row', { name: /bella.*276,098,102,345,678/ }).waitFor();
  });

  it('moves to the first wrong field', async () => {
    const form = await visitForm(browser);
    await form.type('Name', 'bella');
    await form.button('Register the pet').focus();
    await form.page.keyboard.press('Enter');

    await form.summary.waitFor();
    await eventually(() => hasFocus(form.field('Dog'))).toBe(true);
  });
});

describe('a name that is taken', () => {
  it('is found by the check when the field is left, which shows that it waits', async () => {
    const form = await visitForm(browser);
    await store(form, 'bella');

    await form.field('Dog').check();
    await form.type('Name', 'bella');

    await form.page.getByText('Checking…').waitFor();
    await form.seesMessage('Name', 'This name is taken.');
    expect(await form.page.getByText('Checking…').count()).toBe(0);
    await form.entity.getByText('This name is taken.').waitFor();
    await form.type('Name', 'bella-b');
    await form.page.getByText('Checking…').waitFor();
    await form.seesMessage('Name', '');
  });

  it('is refused by the service at its field, if the check could not know it', async () => {
    const form = await visitForm(browser);
    await store(form, 'bella');
    await signUp(form, 'bella', 'Cat');

    // A check runs once for a name, and now there is another kind.
    await form.field('Dog').check();
    await form.button('Register the pet').click();

    await form.seesMessage('Name', 'This entry exists already.');
    await eventually(() => hasFocus(form.field('Name'))).toBe(true);
    expect(await form.pets.count()).toBe(1);
  });
});

describe('the draft', () => {
  it('survives a reload, and the end of the page', async () => {
    const context = await browser.newContext({ locale: 'en-US' });
    const form = await visitFormIn(context);
    await form.field('Rabbit').check();
    await form.field('Notes').focus();
    await form.page.keyboard.type('Afraid of thunder.');

    await form.button('Reload').click();
    await seesDraft(form);
    await form.page.close();
    const again = await visitFormIn(context);
    await seesDraft(again);

    await again.button('Clear').click();
    await again.page.getByText('The form is empty, and so is the draft.').waitFor();
    await again.page.reload();
    await again.page.getByText('What you type is kept as a draft.').waitFor();
    expect(await again.field('Notes').inputValue()).toBe('');
  });

  it('ends when the pet is stored', async () => {
    const form = await visitForm(browser);
    await store(form, 'bella');

    await form.page.reload();
    await form.page.getByText('What you type is kept as a draft.').waitFor();
    expect(await form.field('Name').inputValue()).toBe('');
  });
});

describe('beside the form', () => {
  it('is everything that is wrong, with its rule and code', async () => {
    const form = await visitForm(browser);
    await form.field('Chip, 15 digits').focus();
    await form.page.keyboard.type('12');

    const chip = form.entity.getByRole('listitem').filter({ hasText: 'chip' });
    await chip.getByText('Please enter 100000000000000 or more.').waitFor();
    await chip.getByText('schema-minimum').waitFor();
    await chip.getByText('SchemaViolation').waitFor();
    await form.page.getByText('7 broken rules').waitFor();
  });

  it('is the JSON Schema, which marks the property of the focus', async () => {
    const form = await visitForm(browser);
    const schema = JSON.parse(await form.schema.innerText()) as Record<string, object>;

    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Pets',
      additionalProperties: false,
    });
    expect(schema['properties']).toMatchObject({
      kind: { type: 'string', enum: ['dog', 'cat', 'rabbit'] },
      name: { type: 'string', minLength: 3, maxLength: 20, pattern: '^[a-z][a-z-]*$' },
      weight: { type: 'number', exclusiveMinimum: 0, maximum: 120, multipleOf: 0.1 },
      energy: { type: 'integer', minimum: 1, maximum: 10 },
      tag: { type: 'string', format: 'uuid' },
    });
    await form.field('Notes').focus();
    const marked = form.schema.locator('.marked');
    expect(await marked.innerText()).toContain('"notes"');
    const [part, panel] = [await marked.boundingBox(), await form.schema.boundingBox()];
    expect(part!.y).toBeGreaterThanOrEqual(panel!.y);
    expect(part!.y + part!.height).toBeLessThanOrEqual(panel!.y + panel!.height);
  });

  it('are the stored pets, also those of another tab', async () => {
    const context = await browser.newContext({ locale: 'en-US' });
    const [form, other] = [await visitFormIn(context), await visitFormIn(context)];
    await store(form, 'bella');
    await other.pets.filter({ hasText: 'dog · 12.5 kg · born 2021-05-04' }).waitFor();

    await other.button('Delete bella').click();
    await other.page.getByText('No pet yet.').waitFor();
    const title = other.page.getByRole('heading', { name: 'Registered pets' });
    await eventually(() => hasFocus(title)).toBe(true);
    await form.page.getByText('No pet yet.').waitFor();
  });

  it('is the code that runs', async () => {
    const form = await visitForm(browser);
    await form.page.getByText('energy: t.int32({ minimum: 1, maximum: 10 }),').waitFor();
    await form.page.getByText('return bindForm(form, pets, {').waitFor();
  });
});

it('the first page leads to the form, and shows pets before drafts', async () => {
  const context = await browser.newContext({ locale: 'en-US' });
  const demo = await visitIn(context);
  await demo.page.getByRole('link', { name: 'a form that knows its table' }).click();
  await demo.heading('A form that knows its table').waitFor();

  const form = await visitFormIn(context);
  await store(form, 'bella');
  const again = await visitIn(context);
  await again.table('FormDrafts', '0').waitFor();
  await again.heading('Pets').waitFor();
});

const BELLA = {
  kind: "String 'dog'",
  name: "String 'bella'",
  owner: "String 'ann@example.com'",
  coat: "String 'curly'",
  born: 'DateTime Date 2021-05-04T00:00Z',
  visit: 'DateTime Date 2030-01-15T14:30Z',
  weight: 'Double 12.5',
  chip: 'Int64 276098102345678n',
  energy: 'Int32 6',
  vaccinated: 'Boolean true',
  photo: 'Binary Uint8Array, 5 bytes',
  notes: "String 'Shy.'",
};

/** Types everything with keys, up to the button of the form. A file cannot be typed. */
async function signUp(form: FormPage, name: string, kind = 'Dog'): Promise<void> {
  const { keyboard } = form.page;
  const press = async (label: string, ...keys: string[]) => {
    await form.field(label).focus();
    for (const key of keys) await keyboard.press(key);
  };
  await press(kind, 'Space');
  await form.type('Name', name);
  await form.type('E-mail of the owner', 'ann@example.com');
  await form.field('Born').focus();
  await keyboard.type('05042021');
  await form.field('Next visit, UTC').focus();
  await keyboard.type('01152030');
  await keyboard.press('ArrowRight');
  await keyboard.type('0230PM');
  await form.type('Weight in kg', '12.5');
  await form.field('Coat').focus();
  await keyboard.type('cu');
  await form.type('Chip, 15 digits', '276098102345678');
  await press('Energy, 1 to 10', 'ArrowRight');
  const photo = { name: 'bella.png', mimeType: 'image/png', buffer: Buffer.from('bella') };
  await form.field('Photo').setInputFiles(photo);
  await press('Has been vaccinated', 'Space');
  await form.type('Notes', 'Shy.');
  expect(await hasFocus(form.button('Register the pet'))).toBe(true);
}

async function store(form: FormPage, name: string): Promise<void> {
  await signUp(form, name);
  await form.page.keyboard.press('Enter');
  await form.page.getByText(`${name} is registered.`).waitFor();
  await form.pets.filter({ hasText: name }).waitFor();
}

async function seesDraft(form: FormPage): Promise<void> {
  await form.page.getByText('Your draft is back.').waitFor();
  expect(await form.field('Notes').inputValue()).toBe('Afraid of thunder.');
  expect(await form.field('Rabbit').isChecked()).toBe(true);
}
