// The apps of examples/, each as somebody who has copied it would start it. next.test.ts has the
// one of Next.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { freePort } from '../../scripts/lib/free-port.mjs';
import { copyExample } from './support/example-app.js';
import { isAccessibleEverywhere, newPage, useBrowser } from './support/page.js';

useBrowser();

it('the page without a bundler keeps a list', async () => {
  const app = copyExample('plain-html');
  const url = await app.start('start', '--port', `${await freePort()}`);
  const { page, problems } = await newPage();
  await page.goto(url);
  await page.getByText('The list is empty.').waitFor();

  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('Please fill in this field.').waitFor();
  await page.getByLabel('Item').fill('Bread');
  await page.getByLabel('How many').fill('2');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('2 × Bread').waitFor();
  await page.reload();
  await page.getByRole('checkbox', { name: '2 × Bread' }).check();
  await page.getByText('0 to buy').waitFor();
  await isAccessibleEverywhere(page);
  await page.getByRole('button', { name: 'Delete Bread' }).click();
  await page.getByText('The list is empty.').waitFor();

  expect(problems).toEqual([]);
});

it('the Worker keeps messages, which its page shows to others', async () => {
  const app = copyExample('worker-page');
  copyFileSync(join(app.folder, '.dev.vars.example'), join(app.folder, '.dev.vars'));
  const url = await app.start('dev', '--port', `${await freePort()}`);
  const { page, problems } = await newPage();
  await page.goto(url);
  await page.getByText('Nobody has written yet.').waitFor();

  await page.getByLabel('Your name').fill('Ann');
  await page.getByLabel('Message').fill('Hello!');
  await page.getByRole('button', { name: 'Sign' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Hello!' }).waitFor();
  await isAccessibleEverywhere(page);
  const other = await newPage();
  await other.page.goto(url);
  await other.page.getByRole('listitem').filter({ hasText: 'Ann' }).waitFor();

  expect([...problems, ...other.problems]).toEqual([]);
  // The signature of a visitor allows no deletion.
  const signature = await (await fetch(new URL('signature', url))).text();
  const address = new URL(`guestbook/Messages(PartitionKey='a',RowKey='b')?${signature}`, url);
  const { status } = await fetch(address, { method: 'DELETE', headers: { 'if-match': '*' } });
  expect(status).toBe(403);
});

it('the functions are built, and pass their tests', async () => {
  const app = copyExample('functions-tests');

  await app.run('build');
  expect(await app.run('test')).toMatch(/Tests +3 passed/);
});
