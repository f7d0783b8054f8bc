// screenshots.mjs - takes the pictures of the README: the explorer with a table, and with a chart.
// Build the page first, with `npm start`.

import { chromiumLaunchOptions } from './lib/chromium.mjs';
import { enterProject } from './lib/project.mjs';
import { serveDemo } from './lib/server.mjs';

const FOLDER = 'docs/images';
const SIZE = { width: 1280, height: 800 };

enterProject();
const { chromium } = await import('playwright-core');
const server = await serveDemo({ port: 0 });
const browser = await chromium.launch(chromiumLaunchOptions());
try {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
  const press = (name) => page.getByRole('button', { name, exact: true }).click();
  const take = (name) => page.screenshot({ path: `${FOLDER}/${name}.png` });

  await page.goto(server.url);
  await press('Load 3,201 movies');
  await press('Dismiss');
  await page.getByRole('grid').waitFor();
  await take('explorer');

  await press('Chart');
  const choose = (label, option) =>
    page.locator('#chart-choices').getByLabel(label, { exact: true }).selectOption(option);
  await choose('Chart', 'Time line');
  await choose('Of', 'Sum of UsGross');
  await page.getByRole('img', { name: 'Sum of UsGross by ReleaseDate' }).waitFor();
  await take('explorer-chart');
} finally {
  await browser.close();
  await server.close();
}
