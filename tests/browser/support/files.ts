// files.ts - gives files to the page, as a visitor does, and reads what it saves.

import { buffer } from 'node:stream/consumers';

import type { Download, Page } from 'playwright-core';

import type { DemoPage } from './demo-page.js';

export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** Chooses a file in the dialog of the browser. */
export async function chooseFile(demo: DemoPage, { name, text }: TextFile): Promise<void> {
  const choosing = demo.page.waitForEvent('filechooser');
  await demo.button(/^Open (a file|CSV or JSON)$/).click();
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
  await (await choosing).setFiles(file);
}

/** Drops a file onto the page, as soon as it takes one. */
export async function dropFile(demo: DemoPage, file: TextFile): Promise<void> {
  await demo.page.locator('#opening').waitFor({ state: 'hidden' });
  const dataTransfer = await demo.page.evaluateHandle(({ name, text }) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    return data;
  }, file);
  await demo.page.dispatchEvent('body', 'dragover', { dataTransfer });
  await demo.page.getByText('Drop the file to import it').waitFor();
  await demo.page.dispatchEvent('body', 'drop', { dataTransfer });
}

/** Takes File System Access from the page: its dialog is none that a test could answer. */
export async function saveInPieces(page: Page): Promise<void> {
  await page.evaluate(() => {
    delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker;
  });
}

/** What was downloaded. The browser may be of another process, so there is no path to it. */
export const bytesOf = async (download: Download): Promise<Buffer> =>
  buffer(await download.createReadStream());

/** The same, as text. */
export const textOf = async (download: Download): Promise<string> =>
  (await bytesOf(download)).toString();
