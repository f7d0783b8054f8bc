import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';
import { describe, it, onTestFinished } from 'vitest';

import { shellLaunchOptions } from '../../scripts/test/shell.mjs';
import { useBrowser, visitIn } from './support/browser.js';
import type { DemoPage } from './support/demo-page.js';

const browser = useBrowser();

describe('the store', () => {
  it('survives a reload, which shows the same table', async () => {
    const demo = await browser.visit();
    await demo.loadMovies();
    await addMine(demo);

    await demo.page.reload();

    await demo.heading('Movies').waitFor();
    await seesMine(demo);
  });

  it('survives the end of the browser', async () => {
    const profile = await mkdtemp(join(tmpdir(), 'entitable-page-'));
    onTestFinished(() => rm(profile, { recursive: true, force: true }));
    const open = () => chromium.launchPersistentContext(profile, shellLaunchOptions());

    const before = await open();
    const demo = await visitIn(before);
    await demo.loadMovies();
    await addMine(demo);
    await before.close();

    const after = await open();
    onTestFinished(() => after.close());
    await seesMine(await visitIn(after));
  });

  it('can be emptied, and filled again', async () => {
    const demo = await browser.visit();
    await demo.loadMovies();

    await demo.emptyStore();
    await demo.button('Keep it').click();
    await demo.heading('Movies').waitFor();
    await demo.emptyStore();
    await demo.button('Delete everything').click();
    await demo.heading('Open a table. Sort, chart and edit it.').waitFor();

    await demo.page.reload();
    await demo.heading('Open a table. Sort, chart and edit it.').waitFor();
    await demo.loadMovies();
  });
});

async function addMine(demo: DemoPage): Promise<void> {
  await demo.button('Add an entity').click();
  await demo.dialog.getByLabel('PartitionKey').fill('Mine');
  await demo.dialog.getByLabel('RowKey').fill('kept');
  await demo.fillProperty(0, 'Note', 'String', 'still here');
  await demo.button('Add').click();
  await demo.dialog.waitFor({ state: 'hidden' });
}

async function seesMine(demo: DemoPage): Promise<void> {
  await demo.table('Movies', '3,202').waitFor();
  await demo.runFilter("PartitionKey eq 'Mine' and Note eq 'still here'");
  await demo.page.getByText(/^1 entity · /).waitFor();
}
