// queries.mjs - sections 7.8 to 7.10, and the truth table of case 398.

import {
  ANY,
  LEVEL,
  TABLE,
  capturing,
  createTable,
  encode,
  entities,
  entityAt,
  filtered,
  follow,
  forEach,
  get,
  insert,
  put,
  remove,
} from './steps.mjs';

const T = [createTable()];
const NEXT_PARTITION = 'x-ms-continuation-NextPartitionKey';
const NEXT_ROW = 'x-ms-continuation-NextRowKey';
const LAST_PAGE = { [NEXT_PARTITION]: null, [NEXT_ROW]: null };
const TOKENS = { partition: `header:${NEXT_PARTITION}`, row: `header:${NEXT_ROW}` };
const CONTINUED = 'NextPartitionKey={{partition|encode}}&NextRowKey={{row|encode}}';
const rows = (...names) => ({ status: 200, rows: names });

// ------------------------------------------------------------------- filters

const FIVE = [
  ...T,
  insert('p', 'e1', '"S":"apple","N":5,"B":true,"D":1.5,"L@odata.type":"Edm.Int64","L":"10"'),
  insert(
    'p',
    'e2',
    '"S":"banana","N":7,"B":false,"T@odata.type":"Edm.DateTime","T":"2020-01-01T00:00:00Z"',
  ),
  insert('p', 'e3', '"N":"5","G@odata.type":"Edm.Guid","G":"00000000-0000-0000-0000-000000000005"'),
  insert('p', 'e4', '"S":""'),
  insert('p', 'e5', '"S":"O\'Neil","X@odata.type":"Edm.Binary","X":"AQI="'),
];
const ALL_FIVE = ['e1', 'e2', 'e3', 'e4', 'e5'];

// 'e2, e4, e5 (not e3: missing)', 'none', 'all five', 'e2 only'
function namedRows(expected) {
  if (expected.startsWith('all five')) return ALL_FIVE;
  if (expected.startsWith('none')) return [];
  return expected.replace(/\(.*/, '').match(/e\d/g);
}

/** A row whose request is the value of $filter. */
export function filterRow(row) {
  const filter = /^`(.*)`$/.exec(row.request)[1];
  if (row.outcome.status) return [...FIVE, get(filtered(filter), row.outcome)];
  return [...FIVE, get(filtered(filter), rows(...namedRows(row.expected)))];
}

const comparisons = (count) =>
  Array.from({ length: count }, (_, i) => `RowKey eq 'e${i + 1}'`).join(' or ');

export const FILTERS = {
  361: () => [...FIVE, get(`${entities()}?$filter=`, rows(...ALL_FIVE))],
  372: (row) => [
    ...FIVE,
    get(filtered('S ge null'), {
      status: 400,
      code: 'InvalidInput',
      messageHas: ["'GreaterThanOrEqual'"],
    }),
  ],
  392: () => [...FIVE, get(filtered(comparisons(20)), rows(...ALL_FIVE))],
  393: () => [...FIVE, get(filtered(comparisons(200)), rows(...ALL_FIVE))],
  394: () => [
    ...FIVE,
    get(filtered(`${'('.repeat(100)}S eq 'apple'${')'.repeat(100)}`), rows('e1')),
  ],
  395: (row) => [get(entities({ $filter: "S eq 'apple'" }, 'Nope'), row.outcome)],
  396: (row) => [...FIVE, get(entities({ $orderby: 'S' }), row.outcome)],
  397: (row) => [...FIVE, get(entities({ $skip: '1' }), row.outcome)],
};

// The entity in query of the spec, 3.12. It has no M.
const TRUTH_ENTITY = [
  '"S":"b"',
  '"I":5',
  '"L@odata.type":"Edm.Int64","L":"5"',
  '"D":5.0',
  '"B":true',
  '"T@odata.type":"Edm.DateTime","T":"2020-01-01T00:00:00Z"',
  '"G@odata.type":"Edm.Guid","G":"00000000-0000-0000-0000-000000000005"',
  '"X@odata.type":"Edm.Binary","X":"BQ=="',
].join(',');

/** One row of the truth table: a query for each property. */
export function truthSteps({ filter, cells }) {
  const queries = Object.entries(cells).map(([property, isTrue]) =>
    get(
      filtered(filter.replace(/ \(bare\)$/, '').replace(/\bP\b/, property)),
      rows(...(isTrue ? ['r'] : [])),
    ),
  );
  return [...T, insert('p', 'r', TRUTH_ENTITY), ...queries];
}

// ----------------------------------------------------------- $select and $top

const A1 = [...T, insert('p', 'r', '"A":1')];
const A1B = [...T, insert('p', 'r', '"A":1,"B":"x"')];
const selected = (select, elements, level = 'minimal', more) =>
  get(entities({ $select: select }), { status: 200, elements, ...more }, LEVEL[level]);
const metadataEnds = (end) => ({ memberEnds: { 'odata.metadata': end } });
const WHOLE = { members: { PartitionKey: 'p', RowKey: 'r', A: 1 } };

const five = (members) => [...T, ...[1, 2, 3, 4, 5].map((i) => insert('p', `${i}`, members?.(i)))];
const top = (value, expect) => get(entities({ $top: value }), expect);

export const PROJECTIONS = {
  399: () => [
    ...A1B,
    selected(
      'A',
      [{ only: ['odata.etag', 'A'], members: { A: 1 } }],
      'minimal',
      metadataEnds('&$select=A'),
    ),
  ],
  400: () => [...A1B, selected('A', [{ only: ['A'], members: { A: 1 } }], 'none')],
  401: () => [...A1, selected('A,C', [{ members: { A: 1, C: null }, absent: ['C@odata.type'] }])],
  402: () => [
    ...A1,
    selected('C,A,PartitionKey', [
      {
        members: { C: null, A: 1, PartitionKey: 'p' },
        soft: { order: ['odata.etag', 'PartitionKey'] },
      },
    ]),
  ],
  403: () => [
    ...A1,
    get(`${entities()}?$select=`, { status: 200, elements: [WHOLE], ...metadataEnds('&$select=') }),
  ],
  404: () => [...A1, selected('*', [WHOLE])],
  405: () => [
    ...A1,
    selected('A,A', [{ only: ['odata.etag', 'A'], custom: { A: 1 } }], 'minimal', {
      once: ['"A":'],
    }),
  ],
  406: () => [...A1, selected('a', [{ members: { a: null }, absent: ['A'] }])],
  407: () => [
    ...A1,
    get(`${entityAt()}?$select=A`, {
      status: 200,
      custom: { A: 1 },
      absent: ['PartitionKey'],
      ...metadataEnds('/@Element&$select=A'),
    }),
  ],
  408: () => [
    ...T,
    insert('p', 'r', '"L@odata.type":"Edm.Int64","L":"7"'),
    selected('L', [
      {
        only: ['odata.etag', 'L@odata.type', 'L'],
        members: { 'L@odata.type': 'Edm.Int64', L: '7' },
      },
    ]),
  ],
  409: () => [...A1, selected('Timestamp', [{ only: ['Timestamp'] }], 'none')],
  410: () => [
    ...T,
    insert('p', 'r', '"A":1,"B":2'),
    get(
      entities({ $select: 'A', $filter: 'B eq 2' }),
      { status: 200, elements: [{ only: ['A'] }] },
      LEVEL.none,
    ),
  ],
  411: () => [
    ...five(),
    top('2', { ...rows('1', '2'), headers: { [NEXT_PARTITION]: true, [NEXT_ROW]: true } }),
  ],
  412: () => [...five(), top('5', { ...rows('1', '2', '3', '4', '5'), headers: LAST_PAGE })],
  413: () => [...five(), top('0', { ...rows(), headers: LAST_PAGE })],
  414: () => [...five(), top('1000', rows('1', '2', '3', '4', '5'))],
  415: (row) => [...five(), top('1001', row.outcome)],
  416: (row) => [...five(), top('-1', row.outcome)],
  417: (row) => [...five(), top('x', row.outcome)],
  418: () => [
    ...five((i) => `"A":${i}`),
    capturing(TOKENS, get(entities({ $filter: 'A ge 3', $top: '2' }), rows('3', '4'))),
    get(`${entities({ $filter: 'A ge 3', $top: '2' })}&${CONTINUED}`, {
      ...rows('5'),
      headers: LAST_PAGE,
    }),
  ],
};

// --------------------------------------------------------------------- pages

// `count` entities of partition p. Their keys are numbers of equal length.
const numbered = (count, members = '') => [
  ...T,
  forEach({ i: [1, count] }, insert('p', 'r{{i|4}}', members, { status: 201 })),
];
const three = [...T, ...['1', '2', '3'].map((rowKey) => insert('p', rowKey))];
const byOne = capturing(TOKENS, get(entities({ $top: '1' }), rows('1')));
const TOKEN_P = '1!4!cA--';
const with_ = (query) => `${entities()}?${query}`;

export const PAGES = {
  419: () => [...numbered(1000), get(entities(), { status: 200, count: 1000, headers: LAST_PAGE })],
  420: () => [
    ...numbered(1001),
    capturing(
      TOKENS,
      get(entities(), {
        status: 200,
        count: 1000,
        headers: { [NEXT_PARTITION]: true, [NEXT_ROW]: true },
      }),
    ),
    get(with_(CONTINUED), { status: 200, count: 1, headers: LAST_PAGE }),
  ],
  421: () => [
    ...T,
    forEach({ p: [1, 5], r: [1, 500] }, insert('p{{p}}', 'r{{r|3}}', '', { status: 201 })),
    follow(get(entities(), { pages: [1000, 1000, 500], count: 2500, isSorted: true })),
  ],
  422: () => [
    ...T,
    insert('Smith', 'Ben1'),
    insert('Smith', 'Ben999'),
    get(entities({ $top: '1' }), {
      ...rows('Ben1'),
      headers: { [NEXT_PARTITION]: '1!8!U21pdGg-', [NEXT_ROW]: '1!8!QmVuOTk5' },
    }),
  ],
  423: () => [
    ...T,
    insert('a', 'first'),
    insert('é', 'a'),
    get(entities({ $top: '1' }), {
      ...rows('first'),
      headers: { [NEXT_PARTITION]: '1!4!w6k-', [NEXT_ROW]: '1!4!YQ--' },
    }),
  ],
  424: () => [
    ...T,
    insert('', ''),
    insert('a', 'b'),
    get(with_('NextPartitionKey=1!0!&NextRowKey=1!0!'), rows('', 'b')),
  ],
  425: () => [
    ...three,
    follow(get(entities({ $top: '1' }), { pages: [1, 1, 1], ...rows('1', '2', '3') })),
  ],
  426: (row) => [...three, get(with_(`NextPartitionKey=${TOKEN_P}&NextRowKey=`), row.outcome)],
  427: () => [
    ...three,
    insert('o', '0'),
    get(with_(`NextPartitionKey=${TOKEN_P}`), rows('1', '2', '3')),
  ],
  428: (row) => [...three, get(with_('NextRowKey=1!4!Mg--'), row.outcome)],
  429: (row) => [...three, get(with_('NextPartitionKey=garbage&NextRowKey=garbage'), row.outcome)],
  430: (row) => [...three, get(with_('NextPartitionKey=1!4!YQ-'), row.outcome)],
  431: () => [
    ...three,
    byOne,
    remove(entityAt('p', '2'), { status: 204 }, ANY),
    get(`${entities({ $top: '1' })}&${CONTINUED}`, rows('3')),
  ],
  432: () => [...three, byOne, insert('p', '15'), get(with_(CONTINUED), rows('2', '3'))],
  433: () => [
    ...numbered(1500, '"A":1'),
    ...['r0007', 'r0700', 'r1499'].map((rowKey) =>
      put(entityAt('p', rowKey), '{"A":2}', { status: 204 }),
    ),
    follow(get(entities({ $filter: 'A eq 2' }), rows('r0007', 'r0700', 'r1499'))),
  ],
  434: () => [...numbered(1500, '"A":1'), follow(get(entities({ $filter: 'A eq 2' }), rows()))],
  435: () => [
    ...T,
    ...[
      ['a', '1'],
      ['a', '2'],
      ['b', '3'],
      ['b', '4'],
    ].map(([pk, rk]) => insert(pk, rk)),
    get(
      `${entities({ $filter: "PartitionKey eq 'b'" })}&NextPartitionKey=1!4!YQ--&NextRowKey=1!4!Mg--`,
      rows('3', '4'),
    ),
  ],
};
