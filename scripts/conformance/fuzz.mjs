// fuzz.mjs - random requests, the same in every run.
//
// The expected results of a filter are computed here, from query of the spec alone and without the
// engine.

import { randomSource } from './random.mjs';
import { createTable, entities, entityBody, filtered, get, insert } from './steps.mjs';

const BODY_PIECES = [
  ...['{', '}', '[', ']', ':', ',', '"', '\\', ' ', '\n', '\ufeff', '\u0000'],
  ...[
    '"PartitionKey":"p"',
    '"RowKey":"r"',
    '"RowKey":"#"',
    '"Timestamp":1',
    '"a":1',
    '"a":1.5e3',
    '"b":-0',
  ],
  ...[
    '"X@odata.type":"Edm.Int64"',
    '"X":"5"',
    '"X":null',
    '"Y@odata.type":"Edm.Guid"',
    '"Y":"5"',
    '"":1',
  ],
  ...[
    'true',
    'null',
    '1e999',
    '-',
    '0x1',
    "'",
    '"\\ud800"',
    '"\\u00e9"',
    '"a b":1',
    '/*',
    'NaN',
    '\u00e9',
  ],
];

const withoutMacros = (text) => text.replaceAll('{{', '{ {');

/** Bodies of pieces of JSON. Some are valid. */
export function randomBodies(count = 200) {
  const random = randomSource(547);
  return Array.from({ length: count }, (_, i) => {
    const pieces = Array.from({ length: random.below(8) }, () => random.one(BODY_PIECES));
    if (random.chance(0.5)) return withoutMacros(pieces.join(''));
    return withoutMacros(
      `{"PartitionKey":"p","RowKey":"${i}",${pieces.join(random.chance(0.7) ? ',' : '')}}`,
    );
  });
}

const MEMBERS = ['', '"A":1', '"A":null', '"a b":1', '"A":1,"A":2', '"A@odata.type":"Edm.X","A":1'];
const ETAGS = ['*', '*', 'W/"x"', 'strong'];

function randomPart(random, table) {
  const rowKey = random.chance(0.05) ? 'a#b' : `${random.below(40)}`;
  const partitionKey = random.chance(0.02) ? 'q' : 'p';
  const members = random.chance(0.9) ? random.one(MEMBERS.slice(0, 3)) : random.one(MEMBERS);
  const kind = random.one(['insertEntity', 'replaceEntity', 'mergeEntity', 'deleteEntity']);
  const part = { kind, table: random.chance(0.01) ? 'Nope' : table };
  if (kind === 'insertEntity') return { ...part, body: entityBody(partitionKey, rowKey, members) };
  const ifMatch = random.chance(0.3) && { ifMatch: random.one(ETAGS) };
  if (kind === 'deleteEntity') return { ...part, partitionKey, rowKey, ifMatch: '*', ...ifMatch };
  return { ...part, partitionKey, rowKey, body: `{${members}}`, ...ifMatch };
}

/** Transactions. Some are valid. */
export function randomTransactions(table, count = 200) {
  const random = randomSource(549);
  return Array.from({ length: count }, () =>
    Array.from({ length: random.below(6) }, () => randomPart(random, table)),
  );
}

const FILTER_PIECES = [
  ...[
    'A',
    'S',
    'PartitionKey',
    'eq',
    'ne',
    'lt',
    'and',
    'or',
    'not',
    '(',
    ')',
    '5',
    '5L',
    '1.5',
    "'x'",
    "''",
  ],
  ...[
    'true',
    'null',
    "datetime'2020-01-01'",
    "guid'5'",
    "X'05'",
    'startswith(A,5)',
    '"',
    "'",
    '-',
    '99999999999',
  ],
  ...['add', 'é', ',', '\t', '((((', '))))', 'NaN', '$', '%', '1e9', '-INF', '.5', 'eq eq'],
];

/** Filters of pieces of filters. Some are valid. */
export function randomFilters(count = 300) {
  const random = randomSource(548);
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random.below(9) }, () => random.one(FILTER_PIECES)).join(
      random.chance(0.8) ? ' ' : '',
    ),
  );
}

// ---------------------------------------------------------------- valid filters

// Ordered values of each type: their form in a filter and in the JSON of an entity, and the number
// that orders them.
const TYPES = {
  String: ['', 'A', 'a', 'b'].map((text, rank) => ({
    literal: `'${text}'`,
    json: `"${text}"`,
    rank,
  })),
  Int32: [-1, 0, 5].map((value) => ({ literal: `${value}`, json: `${value}`, rank: value })),
  Int64: [-1, 0, 5].map((value) => ({ literal: `${value}L`, json: `"${value}"`, rank: value })),
  Double: [-1, 0, 0.5, 5].map((value) => ({
    literal: Number.isInteger(value) ? `${value}.0` : `${value}`,
    json: Number.isInteger(value) ? `${value}.0` : `${value}`,
    rank: value,
  })),
  Boolean: [false, true].map((value) => ({
    literal: `${value}`,
    json: `${value}`,
    rank: Number(value),
  })),
  DateTime: ['1999-12-31T00:00:00Z', '2020-01-01T00:00:00Z'].map((text, rank) => ({
    literal: `datetime'${text}'`,
    json: `"${text}"`,
    rank,
  })),
};
const ANNOTATED = ['Int64', 'DateTime'];
const KEY_TEXTS = ['a', 'b', 'c', 'd'];
const NAMES = ['A', 'B', 'C'];

// A literal is converted to the type of the property if that is wider. In any other pair of types,
// the property is less than the literal. Source: query of the spec, 3.6.
const WIDENS = { Int32: ['Int32', 'Int64', 'Double'], Int64: ['Int64', 'Double'] };
const canCompare = (literal, property) => (WIDENS[literal] ?? [literal]).includes(property);

const OPERATORS = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};
const MIRRORED = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' };

function compares(entity, { name, operator, type, value }) {
  const property = entity[name];
  if (!property) return false;
  const order = canCompare(type, property.type) ? Math.sign(property.value.rank - value.rank) : -1;
  return OPERATORS[operator](order);
}

function evaluate(entity, tree) {
  switch (tree.kind) {
    case 'comparison':
      return compares(entity, tree);
    case 'bare':
      return entity[tree.name]?.type === 'Boolean' && entity[tree.name].value.rank === 1;
    case 'constant':
      return tree.value;
    case 'not':
      return !evaluate(entity, tree.of);
    case 'and':
      return evaluate(entity, tree.left) && evaluate(entity, tree.right);
    default:
      return evaluate(entity, tree.left) || evaluate(entity, tree.right);
  }
}

function print(tree) {
  switch (tree.kind) {
    case 'comparison': {
      const { name, operator, value, isMirrored } = tree;
      return isMirrored
        ? `${value.literal} ${MIRRORED[operator]} ${name}`
        : `${name} ${operator} ${value.literal}`;
    }
    case 'bare':
      return tree.name;
    case 'constant':
      return `${tree.value}`;
    case 'not':
      return `not (${print(tree.of)})`;
    default:
      return `(${print(tree.left)}) ${tree.kind} (${print(tree.right)})`;
  }
}

function randomComparison(random) {
  const common = {
    kind: 'comparison',
    operator: random.one(Object.keys(OPERATORS)),
    isMirrored: random.chance(0.2),
  };
  if (random.chance(0.5)) {
    const rank = random.below(KEY_TEXTS.length);
    return {
      ...common,
      name: random.one(['PartitionKey', 'RowKey']),
      type: 'String',
      value: { literal: `'${KEY_TEXTS[rank]}'`, rank },
    };
  }
  const type = random.one(Object.keys(TYPES));
  return { ...common, name: random.one(NAMES), type, value: random.one(TYPES[type]) };
}

function randomTree(random, depth) {
  if (depth === 0 || random.chance(0.3)) {
    if (random.chance(0.05)) return { kind: 'constant', value: random.chance(0.5) };
    if (random.chance(0.1)) return { kind: 'bare', name: random.one(NAMES) };
    return randomComparison(random);
  }
  if (random.chance(0.2)) return { kind: 'not', of: randomTree(random, depth - 1) };
  return {
    kind: random.one(['and', 'and', 'or']),
    left: randomTree(random, depth - 1),
    right: randomTree(random, depth - 1),
  };
}

function randomEntity(random, partition, row) {
  const entity = {
    PartitionKey: { type: 'String', value: { rank: partition } },
    RowKey: { type: 'String', value: { rank: row } },
  };
  for (const name of NAMES) {
    if (random.chance(0.25)) continue;
    const type = random.one(Object.keys(TYPES));
    entity[name] = { type, value: random.one(TYPES[type]) };
  }
  return entity;
}

function membersOf(entity) {
  return NAMES.filter((name) => entity[name])
    .map((name) => {
      const { type, value } = entity[name];
      const annotation = ANNOTATED.includes(type) ? `"${name}@odata.type":"Edm.${type}",` : '';
      return `${annotation}"${name}":${value.json}`;
    })
    .join(',');
}

/** A table of random entities, and random filters with their results. */
export function randomQueries(count = 400) {
  const random = randomSource(550);
  const places = KEY_TEXTS.flatMap((pk, partition) =>
    KEY_TEXTS.map((rk, row) => ({ pk, rk, partition, row })),
  );
  const table = places.map((place) => ({
    ...place,
    entity: randomEntity(random, place.partition, place.row),
  }));
  const queries = Array.from({ length: count }, () => {
    const tree = randomTree(random, 3);
    const found = table.filter(({ entity }) => evaluate(entity, tree));
    return get(filtered(print(tree)), { status: 200, keys: found.map(({ pk, rk }) => [pk, rk]) });
  });
  return [
    createTable(),
    ...table.map(({ pk, rk, entity }) => insert(pk, rk, membersOf(entity), { status: 201 })),
    get(entities(), { status: 200, count: places.length }),
    ...queries,
  ];
}
