import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { findChromium } from '../../scripts/lib/chromium.mjs';
import { installPackage, makeApp, RESULT } from './support/app.js';

beforeAll(() => installPackage('vitest'));

const test = `
import { expect, it } from 'vitest';
import { usePackage } from './program.js';
it('works', async () => expect(await usePackage()).toBe('${RESULT}'));`;

const browser = `
import { playwright } from '@vitest/browser-playwright';
const launchOptions = {
  executablePath: ${JSON.stringify(findChromium())},
  args: ['--no-sandbox', '--disable-gpu'],
};
export default { test: { browser: {
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions }),
  instances: [{ browser: 'chromium' }],
} } };`;

describe('with Vitest a test passes', () => {
  const config = (environment: string) =>
    `export default { test: { environment: '${environment}' } };`;

  it.each([
    ['node', config('node')],
    ['jsdom', config('jsdom')],
    ['happy-dom', config('happy-dom')],
    ['browser', browser],
  ])('in %s', async (name, text) => {
    const app = makeApp('vitest', name);
    writeFileSync(join(app.folder, 'vitest.config.js'), text);
    writeFileSync(join(app.folder, 'program.test.js'), test);

    expect(await app.run('vitest/vitest.mjs', ['run'])).toMatch(/Tests +1 passed/);
  });
});
