// differences.ts - the known differences of the emulator. docs/reference/differences.md lists them
// under the same names, with the page of the specification that decides.

import type { Seen, SeenEntity } from './answer.js';
import type { WireRequest } from './request.js';

export interface Exchange {
  readonly request: WireRequest;
  readonly ours: Seen;
  readonly theirs: Seen;
}

/** A known difference. */
export interface Difference {
  readonly name: string;
  /** Returns the right answer of the emulator, or undefined if this difference does not apply. */
  readonly mend: (exchange: Exchange) => Seen | undefined;
}

/** For example "400 InvalidInput". For a batch: the part that failed, or "202" if none did. */
export function outcomeOf({ status, code, parts }: Seen): string {
  const failed = parts?.find((part) => part.status >= 400);
  return failed ? outcomeOf(failed) : `${status}${code ? ` ${code}` : ''}`;
}

interface Refusal {
  /** The request has one of these tags. */
  readonly tags: readonly string[];
  /** The right answers, by the specification. */
  readonly ours: readonly string[];
  /** The answers of the emulator. Without it, any answer: the emulator does not check. */
  readonly theirs?: RegExp;
}

// The emulator gives another answer.
function refused(name: string, { tags, ours, theirs }: Refusal): Difference {
  return {
    name,
    mend: (exchange) => {
      const isIt =
        exchange.request.tags.some((tag) => tags.includes(tag)) &&
        ours.includes(outcomeOf(exchange.ours)) &&
        (theirs?.test(outcomeOf(exchange.theirs)) ?? true);
      return isIt ? exchange.ours : undefined;
    },
  };
}

// The answer is right except for a detail. In a batch, each part may have the detail.
function detail(
  name: string,
  mendOne: (theirs: Seen, ours: Seen, request: WireRequest) => Seen,
): Difference {
  return {
    name,
    mend: ({ request, ours, theirs }) =>
      theirs.parts
        ? {
            ...theirs,
            parts: theirs.parts.map((part, i) => mendOne(part, ours.parts?.[i] ?? part, request)),
          }
        : mendOne(theirs, ours, request),
  };
}

// A selected property that the entity does not have is null in our answer.
const withNulls = (theirs: readonly SeenEntity[], ours: readonly SeenEntity[]) =>
  theirs.map((entity, i) => {
    const nulls = Object.entries(ours[i] ?? {}).filter(
      ([name, value]) => value === 'null' && !(name in entity),
    );
    const all = { ...entity, ...Object.fromEntries(nulls) };
    return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

const BAD_VALUES = [
  'bad-int64',
  'bad-guid',
  'bad-date',
  'bad-binary',
  'bad-boolean',
  'bad-int32',
  'unknown-type',
  'array-value',
];

export const DIFFERENCES: readonly Difference[] = [
  detail('preference-unasked', (theirs, _, { tags }) =>
    tags.includes('no-prefer') || tags.includes('create-table')
      ? { ...theirs, applied: undefined }
      : theirs,
  ),
  detail('preference-of-failure', (theirs, ours, { tags }) =>
    tags.includes('insert') && theirs.status >= 400 && theirs.status === ours.status
      ? { ...theirs, applied: ours.applied }
      : theirs,
  ),
  detail('batch-content', (theirs, ours, { tags }) =>
    tags.includes('batch') ? { ...theirs, entities: ours.entities, applied: ours.applied } : theirs,
  ),
  detail('select-null', (theirs, ours, { tags }) =>
    tags.includes('select') && theirs.entities && ours.entities
      ? { ...theirs, entities: withNulls(theirs.entities, ours.entities) }
      : theirs,
  ),
  detail('top-zero', (theirs, _, { tags }) =>
    tags.includes('top=0') ? { ...theirs, more: false } : theirs,
  ),
  refused('top-range', {
    tags: ['top=1001', 'top=-1', 'top=x'],
    ours: ['400 InvalidInput'],
    theirs: /^(200|400|500)/,
  }),
  refused('delete-without-etag', {
    tags: ['no-if-match'],
    ours: ['400 InvalidInput'],
    theirs: /^400$/,
  }),
  refused('batch-delete-without-etag', {
    tags: ['batch-delete-no-if-match'],
    ours: ['400 InvalidInput'],
  }),
  refused('value-check', { tags: BAD_VALUES, ours: ['400 InvalidInput'] }),
  {
    // The emulator refused the value. Our server accepted it, and answered about the entity.
    name: 'int64-number',
    mend: ({ request, ours, theirs }) =>
      request.tags.includes('int64-number') && outcomeOf(theirs) === '400 InvalidInput'
        ? ours
        : undefined,
  },
  refused('old-date', { tags: ['old-date'], ours: ['400 OutOfRangeInput'] }),
  refused('bad-key', { tags: ['bad-key'], ours: ['400 OutOfRangeInput'], theirs: /^400/ }),
  refused('bad-etag', {
    tags: ['if-match-bad', 'batch-write-if-match-bad', 'batch-delete-if-match-bad'],
    ours: ['400 InvalidInput'],
    theirs: /^(400 Invalid(Operation|DuplicateRow)|404|409|412)/,
  }),
  refused('bad-table-name', {
    tags: ['bad-table-name'],
    ours: ['400 InvalidResourceName', '400 OutOfRangeInput', '400 InvalidInput'],
    theirs: /^(400|201)/,
  }),
  refused('bad-body', {
    tags: ['bad-json', 'key-no-text'],
    ours: ['400 InvalidInput'],
    theirs: /^(400|500)/,
  }),
  refused('bad-content-type', {
    tags: ['bad-content-type'],
    ours: ['415 MediaTypeNotSupported'],
    theirs: /^400/,
  }),
  refused('bad-address', { tags: ['bad-address'], ours: ['400 InvalidInput'], theirs: /^500/ }),
  refused('bad-method', { tags: ['bad-method'], ours: ['405 MethodNotAllowed'], theirs: /^400/ }),
  refused('batch-partitions', {
    tags: ['mixed-partitions'],
    ours: ['400 CommandsInBatchActOnDifferentPartitions'],
  }),
  {
    name: 'batch-empty',
    mend: ({ request, ours, theirs }) =>
      request.tags.includes('batch-empty') &&
      /^(400 PropertiesNeedValue|500)$/.test(outcomeOf(theirs))
        ? ours
        : undefined,
  },
  refused('batch-duplicate', { tags: ['duplicate-row'], ours: ['400 InvalidDuplicateRow'] }),
  {
    // By the specification, a property of another type is less than the literal. The emulator
    // ignores that.
    name: 'filter-types',
    mend: ({ request, ours }) =>
      request.tags.includes('mixed-types') && ours.status === 200 ? ours : undefined,
  },
  {
    // The emulator reads a number with an exponent as text.
    name: 'filter-exponent',
    mend: ({ request, ours }) =>
      request.tags.includes('exponent') && ours.status === 200 ? ours : undefined,
  },
  refused('filter-function', {
    tags: ['function', 'property-property'],
    ours: ['501 NotImplemented'],
    theirs: /^(200|400)/,
  }),
  refused('filter-syntax', {
    tags: ['bad-syntax', 'upper-case-operator', 'null-literal', 'wrong-literal'],
    ours: ['400 InvalidInput'],
    theirs: /^(200|400|500)/,
  }),
];

/** The differences that explain the emulator's answer, or undefined if they do not explain it. */
export function explain(exchange: Exchange): string[] | undefined {
  const names: string[] = [];
  let theirs = exchange.theirs;
  for (const { name, mend } of DIFFERENCES) {
    if (isEqual(exchange.ours, theirs)) break;
    const mended = mend({ ...exchange, theirs });
    if (!mended || isEqual(mended, theirs)) continue;
    names.push(name);
    theirs = mended;
  }
  return isEqual(exchange.ours, theirs) ? names : undefined;
}

export const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
