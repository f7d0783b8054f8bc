// The package create-entitable as npm packs it, and the app that it makes: that of
// examples/react-offline-notes.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { AzureNamedKeyCredential, TableServiceClient } from '@azure/data-tables';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { CORS_RULE } from '../js/support/cors-rule.js';
import { installedIn, newFolder } from './support/example-app.js';
import { isAccessibleEverywhere, newPage, useBrowser } from './support/page.js';

const EXAMPLE = 'examples/react-offline-notes';
const PACKED = resolve('build/create-entitable');

useBrowser();
let files: string[];
beforeAll(async () => {
  files = await pack();
});

async function pack(): Promise<string[]> {
  mkdirSync(PACKED, { recursive: true });
  const said = spawnSync('npm', ['pack', '--json', '--pack-destination', PACKED], {
    cwd: 'create-entitable',
    encoding: 'utf8',
  }).stdout;
  const [{ filename, files }] = Object.values(
    JSON.parse(said.slice(said.search(/[[{]/))) as object,
  ) as [{ filename: string; files: { path: string }[] }];
  spawnSync('tar', ['-xf', filename], { cwd: PACKED });
  return files.map(({ path }) => path);
}

/** Runs it as npm does, in a new folder. */
function create(cwd: string, ...args: string[]) {
  const script = join(PACKED, 'package/index.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('create-entitable', () => {
  it('has the files of the example and no others', () => {
    const inExample = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).replace(EXAMPLE, 'template'));

    expect(files.sort()).toEqual(
      ['LICENSE', 'README.md', 'index.js', 'package.json', ...inExample].sort(),
    );
  });

  it('says how it is called', () => {
    const folder = newFolder();

    expect(create(folder, '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage: npm create entitable FOLDER') as string,
    });
    for (const wrong of [[], ['--typescript'], ['a', 'b']]) {
      expect(create(folder, ...wrong)).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^Name one folder for the app\./) as string,
      });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves a folder alone that is not empty, and a file', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'mine.txt'), 'mine');

    expect(create(folder, '.')).toMatchObject({
      status: 1,
      stderr: '. is not empty. Name another folder.\n',
    });
    expect(create(folder, 'mine.txt')).toMatchObject({
      status: 1,
      stderr: 'mine.txt is a file. Name another folder.\n',
    });
    expect(readdirSync(folder)).toEqual(['mine.txt']);
  });

  it('makes an app that keeps notes, offline too, and syncs them', async () => {
    const folder = newFolder();
    const { status, stdout } = create(folder, 'My Notes');

    expect(status).toBe(0);
    expect(stdout).toMatch(/ {2}cd "My Notes"\n {2}npm install\n {2}npm run dev\n$/);
    const app = installedIn(join(folder, 'My Notes'));
    expect(JSON.parse(readFileSync(join(app.folder, 'package.json'), 'utf8'))).toEqual({
      ...(JSON.parse(readFileSync(`${EXAMPLE}/package.json`, 'utf8')) as object),
      name: 'my-notes',
    });
    const page = readFileSync(join(app.folder, 'README.md'), 'utf8');
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) expect(() => readFileSync(join(app.folder, link))).not.toThrow();
    await app.run('build');
    await usesOffline(join(app.folder, 'dist'));
    await usesTwoDevices(app.folder);
  });
});

const heading = (page: Page, name: string) => page.getByRole('heading', { name });

async function addNote(page: Page, title: string) {
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Add note' }).click();
  await heading(page, title).waitFor();
}

async function usesOffline(dist: string) {
  const site = await serve(dist, { port: 0, headers: PLAIN });
  const { page, problems } = await newPage();
  await page.goto(site.url);
  await page.getByText('Your first note goes here.').waitFor();

  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByText('Please fill in this field.').waitFor();
  await isAccessibleEverywhere(page);
  await page.getByLabel('Tags').fill('shop home');
  await page.getByLabel('Image').setInputFiles({
    name: 'dot.png',
    mimeType: 'image/png',
    buffer: Buffer.from(DOT, 'base64'),
  });
  await addNote(page, 'Buy milk');
  await page.evaluate(() => navigator.serviceWorker.ready);

  // Nobody answers from here on.
  await site.close();
  await page.context().setOffline(true);
  await page.reload();
  await heading(page, 'Buy milk').waitFor();
  await page.waitForFunction(() => document.querySelector('img')?.naturalWidth === 1);
  await addNote(page, 'Bake bread');
  await page.getByLabel('Search').fill('MILK');
  await heading(page, 'Bake bread').waitFor({ state: 'detached' });
  await page.getByLabel('Search').fill('shop');
  await heading(page, 'Buy milk').waitFor();

  expect(problems).toEqual([]);
}

async function usesTwoDevices(folder: string) {
  const site = await serve(join(folder, 'dist'), { port: 0, headers: PLAIN });
  onTestFinished(() => site.close());
  const address = await cloudFrom(folder);
  const [laptop, phone] = [await newPage(), await newPage()];
  for (const { page } of [laptop, phone]) {
    await page.goto(site.url);
    await page.getByText('Only on this device').click();
    await page.getByLabel('Address').fill(address);
  }
  await addNote(laptop.page, 'Buy milk');
  for (const { page } of [laptop, phone]) {
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Synced', { exact: true }).waitFor();
    await heading(page, 'Buy milk').waitFor();
  }

  for (const { page } of [laptop, phone]) await page.context().setOffline(true);
  await rename(laptop.page, 'Buy oat milk');
  await rename(phone.page, 'Buy two litres of milk');
  await phone.page.context().setOffline(false);
  await phone.page.getByText('Synced', { exact: true }).waitFor();
  await laptop.page.context().setOffline(false);
  await laptop.page.getByText('Changed on two devices at once').waitFor();
  await isAccessibleEverywhere(laptop.page);
  await heading(laptop.page, 'Buy two litres of milk').waitFor();
  await laptop.page.getByRole('button', { name: 'Use mine' }).click();
  await heading(laptop.page, 'Buy oat milk').waitFor();
  await laptop.page.getByText('Changed on two').waitFor({ state: 'detached' });
}

async function rename(page: Page, title: string) {
  await page.getByRole('button', { name: 'Edit Buy milk' }).click();
  const form = page.getByRole('listitem');
  await form.getByLabel('Title').fill(title);
  await form.getByRole('button', { name: 'Save' }).click();
  await heading(page, title).waitFor();
}

/** The address, with a signature, of an account that pages may use. */
async function cloudFrom(folder: string): Promise<string> {
  const load = (entry: string) =>
    import(pathToFileURL(join(folder, `node_modules/entitable/dist/${entry}.js`)).href);
  const { startServer } = (await load('server')) as typeof import('../../js/src/server.js');
  const { DEVELOPMENT_ACCOUNT, generateAccountSas } = (await load(
    'http',
  )) as typeof import('../../js/src/http.js');
  const server = await startServer();
  onTestFinished(() => server.close());
  const { account, key } = DEVELOPMENT_ACCOUNT;
  const { url } = server.accounts[0]!;
  const options = { allowInsecureConnection: true };
  await new TableServiceClient(
    url,
    new AzureNamedKeyCredential(account, key),
    options,
  ).setProperties({ cors: [CORS_RULE] });
  const expiresOn = new Date(Date.now() + 3_600_000);
  const rights = { permissions: 'raudc', resourceTypes: 'co', expiresOn };
  return `${url}?${await generateAccountSas({ account, key, ...rights })}`;
}

// The address of the account is that of another site.
const PLAIN = { 'content-security-policy': '' };
// A picture of one pixel.
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
