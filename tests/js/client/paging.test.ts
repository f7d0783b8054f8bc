import { describe, expect, it } from 'vitest';

import { paged, toPage, type PageRequest } from '../../../js/src/client/paging.js';
import { errorCode } from '../support/rejection.js';

// Three pages: [1, 2], none, [3].
function threePages(requests: PageRequest[] = []) {
  return paged(async (request) => {
    requests.push(request);
    const at = Number(request.nextRowKey ?? 0);
    const next = at < 2 ? { nextPartitionKey: '1!4!cGs-', nextRowKey: String(at + 1) } : {};
    return toPage([[1, 2], [], [3]][at]!, { status: 200, parts: [], ...next });
  });
}

const collect = async <T>(all: AsyncIterable<T>) => {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
};

describe('a paged result', () => {
  it('yields the elements of all pages', async () => {
    expect(await collect(threePages())).toEqual([1, 2, 3]);
  });

  it('yields pages, also empty ones, each with the token of the next', async () => {
    const pages = await collect(threePages().byPage());

    expect(pages.map((page) => [...page])).toEqual([[1, 2], [], [3]]);
    expect(pages.map((page) => typeof page.continuationToken)).toEqual([
      'string',
      'string',
      'undefined',
    ]);
  });

  it('continues from a token', async () => {
    const first = await threePages().byPage().next();
    const rest = threePages().byPage({ continuationToken: first.value.continuationToken });

    expect((await collect(rest)).flat()).toEqual([3]);
  });

  it('reads as much as the caller wants, and nothing before', async () => {
    const requests: PageRequest[] = [];
    const pages = threePages(requests).byPage({ maxPageSize: 2 });
    expect(requests).toEqual([]);

    await pages.next();

    expect(requests).toEqual([{ top: '2' }]);
  });

  it('accepts the tokens of the official client', async () => {
    const token = btoa(JSON.stringify({ nextPartitionKey: '1!4!cGs-', nextRowKey: '2' }));

    expect(await collect(threePages().byPage({ continuationToken: token }))).toEqual([[3]]);
  });

  it('gives tokens that need no escape in a URL', async () => {
    const page = toPage([], { status: 200, parts: [], nextPartitionKey: '>>>???~~~' });

    expect(page.continuationToken).toMatch(/^[\w-]+$/);
  });

  it.each(['%', 'abc', btoa('null')])('refuses the token %s', async (continuationToken) => {
    const pages = threePages().byPage({ continuationToken });

    expect(await errorCode(pages.next())).toBe('InvalidInput');
  });

  it('is its own iterator', () => {
    const all = threePages();

    expect(all[Symbol.asyncIterator]()).toBe(all);
  });
});
