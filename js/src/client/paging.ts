/**
 * Results in pages, as elements or page by page.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { checkedOptions, type KindsOf } from '../base/options.js';
import { Slices } from '../base/slices.js';
import type { Answer } from '../core/frames.js';
import { positionOf, type PagePosition } from '../core/page-position.js';

/** Where to begin, and how much to fetch at a time. */
export interface PageSettings {
  /** From an earlier page; a token of the official client works, too. */
  continuationToken?: string;

  /** 1 to 1000; by default 1000. */
  maxPageSize?: number;
}

const PAGE_OPTIONS = {
  continuationToken: 'string',
  maxPageSize: 'pageSize',
} as const satisfies KindsOf<PageSettings>;

/** Elements one by one, fetched a page at a time; or the pages. */
export interface PagedAsyncIterableIterator<T, Page = T[]> {
  next(): Promise<IteratorResult<T>>;
  [Symbol.asyncIterator](): PagedAsyncIterableIterator<T, Page>;
  byPage: (settings?: PageSettings) => AsyncIterableIterator<Page>;
}

/** The members that a request for one page adds to its operation. */
export interface PageRequest extends PagePosition {
  readonly top?: string | undefined;
}

/** An array that knows where the next page begins. */
export type Page<T> = T[] & { continuationToken?: string };

/**
 * Returns the result of `listEntities` and `listTables`. It makes no request before the first
 * element or page is asked for.
 *
 * @param explained - returns the error to throw in place of another.
 */
export function paged<T>(
  fetchPage: (request: PageRequest) => Promise<Page<T>>,
  explained: (error: unknown) => unknown = (error) => error,
): PagedAsyncIterableIterator<T, Page<T>> {
  const byPage = (settings?: PageSettings) =>
    pages(checkedOptions('byPage', settings, PAGE_OPTIONS));
  async function* pages({ continuationToken, maxPageSize }: PageSettings) {
    const top = maxPageSize === undefined ? undefined : `${maxPageSize}`;
    const slices = new Slices();
    do {
      // To await takes time, even if there is nothing to wait for.
      if (slices.isOver) await slices.turn();
      let page: Page<T>;
      try {
        page = await fetchPage({ ...positionOfToken(continuationToken), top });
      } catch (error) {
        throw explained(error);
      }
      yield page;
      ({ continuationToken } = page);
    } while (continuationToken);
  }
  async function* elements() {
    for await (const page of byPage()) yield* page;
  }
  // Made when someone reads element by element.
  let all: AsyncGenerator<T> | undefined;
  const iterator: PagedAsyncIterableIterator<T, Page<T>> = {
    next: () => (all ??= elements()).next(),
    [Symbol.asyncIterator]: () => iterator,
    byPage,
  };
  return iterator;
}

/** Returns a page of `elements`, with the token of the page that follows `answer`. */
export function toPage<T>(elements: T[], answer: Answer): Page<T> {
  const position = positionOf(answer);
  return position ? Object.assign(elements, { continuationToken: tokenOf(position) }) : elements;
}

// The official client puts this JSON into its tokens, too, as Base64 for URLs.
function tokenOf(position: PagePosition): string {
  return btoa(JSON.stringify(position))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function positionOfToken(token: string | undefined): PagePosition {
  if (!token) return {};
  try {
    const json = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
    const { nextPartitionKey, nextRowKey, nextTableName } = JSON.parse(json) as PagePosition;
    return { nextPartitionKey, nextRowKey, nextTableName };
  } catch (cause) {
    throw invalidInput('The continuation token is not one that an earlier page returned.', cause);
  }
}
