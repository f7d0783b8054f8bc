// The database process dies: docs/internals/browsers.md, "WebKit loses its connection".

import { expect, it } from 'vitest';

import { freshProfile, startBrowser } from './support/browser.js';
import { openSite } from './support/site.js';

it('continues, with each write stored once, when WebKit has lost its databases', async () => {
  const site = await openSite();
  const browser = await startBrowser('webkit', freshProfile(), [site.url('tab')]);
  let tab = await site.actor('tab');
  await tab.call('open');
  await tab.call('startWork', 'p');
  await tab.call('untilWritten', 100);

  // The second time, the replacement of the first connection is lost.
  for (let time = 0; time < 2; time++) {
    const [databases] = browser.processes('WebKitNetworkProcess');
    process.kill(databases!, 'SIGKILL');
    tab = await site.actor('tab');
    await tab.call('untilWritten', 100);
  }

  const { written, failed } = await tab.call('stopWork');
  expect(failed).toEqual([]);
  expect(await tab.call('statuses')).toEqual(['lost', 'reconnected', 'lost', 'reconnected']);
  const keys = Array.from({ length: written }, (_, row) => `p/${row}`);
  expect((await tab.call('storedKeys')).sort()).toEqual(keys.sort());
});
