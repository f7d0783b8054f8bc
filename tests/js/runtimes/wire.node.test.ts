// The conformance cases over HTTP, in the servers of Deno and Bun.

import { beforeAll, describe, expect, it } from 'vitest';

import { readCasesOverHttp } from '../support/conformance/over-http.js';
import { answerOf, RUNTIMES } from '../support/runtimes.js';

const titles = [...(await readCasesOverHttp()).keys()];

describe.each(RUNTIMES)('a handler in the server of $name', ({ command }) => {
  let said: unknown;
  beforeAll(async () => {
    said = await answerOf(command, 'tests/js/support/conformance/wire-program.ts');
  }, 240_000);

  it.each(titles)('%s', (title) => {
    expect(said).toHaveProperty([title], []);
  });
});
