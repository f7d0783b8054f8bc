// signatures.mjs - section 7.12, and the cases of 7.14 about signatures.
//
// Requests of these cases are signed with the key of the account, unless they have a `sign`.

import { ANY, TABLE, createTable, entities, entityAt, entityBody, get, insert } from './steps.mjs';
import { merge, post, put, remove } from './steps.mjs';

const T = [createTable()];
const ENTITY = [...T, insert('p', 'r', '"A":1')];
const PEOPLE = [createTable('People'), createTable('Other')];
const ATOM = { Accept: 'application/atom+xml,application/xml' };

const signed = (sign, step) => ({ ...step, send: { ...step.send, sign } });
const byKey = (how, step) => signed({ scheme: 'SharedKeyLite', ...how }, step);
const UNSIGNED = 'none';
const SPOILED = { scheme: 'SharedKeyLite', isSpoiled: true };

// The parameters of the address, without those that are undefined.
const tableSas = (fields, more) => ({
  sas: 'table',
  fields: { sv: '2019-02-02', tn: TABLE, sp: 'raud', se: '2030-01-01T00:00:00Z', ...fields },
  ...more,
});
const accountSas = (fields) => ({
  sas: 'account',
  fields: {
    ...{ sv: '2019-02-02', ss: 't', srt: 'sco', sp: 'rwdlacu', se: '2030-01-01T00:00:00Z' },
    ...fields,
  },
});
const read = (sas, expect) => signed(sas, get(entities(), expect));
const tables = (sas, expect) => signed(sas, get('/Tables', expect));

// ------------------------------------------------------------------- vectors

const DATE = 'Tue, 02 Jan 2024 03:04:05 GMT';
const ACCOUNT = '/devstoreaccount1';
const LITE = { scheme: 'SharedKeyLite', date: DATE };
const vector = (of, signature) => ({ vector: { ...of, signature } });

// auth of the spec, 5.5, in its order.
const REQUESTS = [
  vector({ ...LITE, target: `${ACCOUNT}/Tables` }, 'vqH9cAkS8xJlO5MTje1QvTgbpxIibsQNqN4+xo6qZpI='),
  vector(
    { ...LITE, account: 'acct', target: '/Tables' },
    'Y7O3gyEuFTwokWggnpyePB5bSWnnJG/wxnq1QAUPbaQ=',
  ),
  vector(
    {
      ...{ scheme: 'SharedKey', date: DATE, method: 'POST', target: `${ACCOUNT}/People` },
      contentType: 'application/json;odata=nometadata',
    },
    'gWRBeArO9KcIWLBsMuyGcJBDyWhyeHQ4Q/kUiFtq/zs=',
  ),
  vector(
    {
      ...{ scheme: 'SharedKey', date: DATE },
      target: `${ACCOUNT}/People(PartitionKey='a%20b',RowKey='O''Neil')`,
    },
    'fKvwxFFbykAHk5QXtMDcC/cXUQNWfiRrlZLjrFW8WZw=',
  ),
  vector(
    { ...LITE, target: `${ACCOUNT}/People?comp=acl` },
    '1eDQtbTThLezTmbqeQ57uO1+TiO4XoKieqpd67eyKI0=',
  ),
  vector(
    { ...LITE, method: 'POST', target: `${ACCOUNT}/$batch` },
    'aSewh4hxOzKIYM0HgzexcXxnQQZLt89/a24xdIgjMpI=',
  ),
  vector(
    { ...LITE, target: `${ACCOUNT}/?restype=service&comp=properties` },
    'R2oL4srR6sGM1JWWN6RhNwv+CbyzEwGbOXqSRlfD7H4=',
  ),
];

// auth of the spec, 5.6.
const people = { sv: '2019-02-02', tn: 'People' };
const SE = '2030-01-01T00:00:00Z';
const TABLE_SAS = [
  vector(
    { sas: 'table', fields: { ...people, sp: 'raud', se: SE } },
    'FEV3rhoTdS/3RSGKtdvK7Eg3mJGv2bXXnseXAK4Kfgc=',
  ),
  vector(
    {
      sas: 'table',
      fields: {
        ...{ ...people, sp: 'r', st: '2024-01-01T00:00:00Z', se: SE, spr: 'https' },
        ...{ spk: 'a', srk: '1', epk: 'b', erk: '9' },
      },
    },
    'h2RgPZyDTiZknA9sgZmtKRyusraSCKIr9c7j5Apywog=',
  ),
  vector(
    { sas: 'table', fields: { ...people, si: 'pol1' } },
    'tBOaWkxDFKVLrVtMLz1oM5+GW765eAovWR30+p1aYSI=',
  ),
];

// auth of the spec, 5.7.
const whole = { sp: 'rwdlacu', ss: 't', srt: 'sco', se: SE, spr: 'https,http' };
const ACCOUNT_SAS = [
  vector(
    { sas: 'account', fields: { ...whole, sv: '2019-02-02' } },
    'dKEa4zPUq/dWdOLrCYusn1Jnz45OJCCdBPi+hMWeijk=',
  ),
  vector(
    { sas: 'account', fields: { ...whole, sv: '2020-12-06' } },
    'aQbb1uM9CNZPJhjuzMWpvrja5t6VW2FlvCUFVvjctAk=',
  ),
];

// -------------------------------------------------------------------- policies

const setPolicies = (content) =>
  put(
    `/${TABLE}?comp=acl`,
    `<SignedIdentifiers>${content}</SignedIdentifiers>`,
    { status: 204 },
    { 'Content-Type': 'application/xml' },
  );
const POL1 = setPolicies(
  '<SignedIdentifier><Id>pol1</Id><AccessPolicy><Expiry>2030-01-01</Expiry>' +
    '<Permission>r</Permission></AccessPolicy></SignedIdentifier>',
);
const BY_POL1 = tableSas({ sp: undefined, se: undefined, si: 'pol1' });

// ---------------------------------------------------------------------- ranges

const store = (...keys) => keys.map(([partitionKey, rowKey]) => insert(partitionKey, rowKey));
const ONLY_B = tableSas({ spk: 'b', epk: 'b' });
const A_B_C = [...T, ...store(['a', '1'], ['b', '1'], ['b', '2'], ['c', '1'])];

// --------------------------------------------------------------------- batches

const BATCH = [
  ...['--b', 'Content-Type: multipart/mixed; boundary=c', ''],
  ...['--c', 'Content-Type: application/http', 'Content-Transfer-Encoding: binary', ''],
  ...[`POST {{base}}/${TABLE} HTTP/1.1`, 'Content-Type: application/json', ''],
  ...[entityBody('p', 'r'), '--c--', '--b--', ''],
].join('\r\n');

const jsonRefusal = (row) => ({
  ...row.outcome,
  code: 'AuthenticationFailed',
  headers: { 'Content-Type': 'application/json', 'x-ms-error-code': 'AuthenticationFailed' },
});

export const SIGNATURES = {
  479: () => REQUESTS,
  480: () => TABLE_SAS,
  481: () => ACCOUNT_SAS,
  482: () => [byKey({}, get('/Tables', { status: 200 }))],
  483: (row) => [signed(SPOILED, get('/Tables', { ...row.outcome, form: 'xml' }, ATOM))],
  484: (row) => [signed(UNSIGNED, get('/Tables', row.outcome))],
  485: (row) => [signed(UNSIGNED, get('/Tables', row.outcome, { Authorization: 'SharedKey' }))],
  486: (row) => [byKey({ minutesOld: 16 }, get('/Tables', row.outcome))],
  487: () => [byKey({ minutesOld: 14 }, get('/Tables', { status: 200 }))],
  488: (row) => [byKey({ isUndated: true }, get('/Tables', row.outcome))],
  489: (row) => [byKey({ resource: '/devstoreaccount1/Tables' }, get('/Tables', row.outcome))],
  490: (row) => [
    ...T,
    byKey(
      { resource: `/devstoreaccount1/devstoreaccount1/${TABLE}` },
      get(`/${TABLE}?comp=acl`, row.outcome),
    ),
  ],
  491: () => [...ENTITY, read(tableSas({ sp: 'r' }), { status: 200, rows: ['r'] })],
  492: (row) => [...T, signed(tableSas({ sp: 'r' }), insert('p', 'r', '', row.outcome))],
  493: () => [...T, signed(tableSas({ sp: 'a' }), insert('p', 'r', '', { status: 201 }))],
  494: (row) => [...T, signed(tableSas({ sp: 'a' }), put(entityAt(), '{}', row.outcome))],
  495: () => [...T, signed(tableSas({ sp: 'au' }), put(entityAt(), '{}', { status: 204 }))],
  496: () => [
    ...ENTITY,
    signed(tableSas({ sp: 'u' }), merge(entityAt(), '{"B":2}', { status: 204 }, ANY)),
  ],
  497: () => [...ENTITY, signed(tableSas({ sp: 'd' }), remove(entityAt(), { status: 204 }, ANY))],
  498: (row) => [...T, tables(tableSas(), row.outcome)],
  499: () => [
    ...PEOPLE,
    signed(tableSas({ tn: 'people' }), get(entities({}, 'People'), { status: 200, rows: [] })),
  ],
  500: (row) => [
    ...PEOPLE,
    signed(tableSas({ tn: 'people' }), get(entities({}, 'Other'), row.outcome)),
  ],
  501: () => [
    ...A_B_C,
    read(ONLY_B, {
      status: 200,
      keys: [
        ['b', '1'],
        ['b', '2'],
      ],
    }),
  ],
  502: (row) => [...A_B_C, signed(ONLY_B, insert('c', '2', '', row.outcome))],
  503: () => [
    ...T,
    ...store(['b', '4'], ['b', '5'], ['c', '0'], ['d', '3'], ['d', '4'], ['e', '0']),
    read(tableSas({ spk: 'b', srk: '5', epk: 'd', erk: '3' }), {
      status: 200,
      keys: [
        ['b', '5'],
        ['c', '0'],
        ['d', '3'],
      ],
    }),
  ],
  504: (row) => [...T, read(tableSas({ srk: '1' }), row.outcome)],
  505: (row) => [...T, read(tableSas({ se: '2024-01-02T03:04:04Z' }), row.outcome)],
  506: (row) => [...T, read(tableSas({ st: '2024-01-02T03:05:00Z' }), row.outcome)],
  507: (row) => [...T, read(tableSas({ spr: 'https' }), row.outcome)],
  508: () => [
    ...T,
    POL1,
    read(BY_POL1, { status: 200 }),
    signed(BY_POL1, insert('p', 'r', '', { status: 403, code: 'AuthorizationPermissionMismatch' })),
  ],
  509: (row) => [
    ...T,
    POL1,
    read(BY_POL1, { status: 200 }),
    setPolicies(''),
    read(BY_POL1, row.outcome),
  ],
  510: (row) => [tables(accountSas({ ss: 'b' }), row.outcome)],
  511: (row) => [tables(accountSas({ srt: 'o', sp: 'rl' }), row.outcome)],
  512: () => [signed(accountSas({ srt: 'c', sp: 'c' }), creating({ status: 201 }))],
  513: () => [signed(accountSas({ srt: 'c', sp: 'w' }), creating({ status: 201 }))],
  514: (row) => [signed(accountSas({ srt: 'o', sp: 'a' }), creating(row.outcome))],
  515: (row) => [...T, signed(accountSas(), get(`/${TABLE}?comp=acl`, row.outcome))],
  551: (row) => [signed(SPOILED, get('/Tables', jsonRefusal(row)))],
  552: (row) => [
    ...T,
    signed(
      SPOILED,
      post('/$batch', BATCH, jsonRefusal(row), {
        Accept: 'application/json',
        'Content-Type': 'multipart/mixed; boundary=b',
      }),
    ),
  ],
  554: (row) => [
    ...ENTITY,
    ...['sig', 'se', 'sp'].map((twice) => read(tableSas({}, { twice }), row.outcome)),
    read(tableSas(), { status: 200, rows: ['r'] }),
  ],
  557: (row) => [
    signed(
      UNSIGNED,
      get(
        '/Tables',
        { ...row.outcome, headers: { 'WWW-Authenticate': true } },
        { Authorization: 'Bearer x' },
      ),
    ),
  ],
};

function creating(expect) {
  return post('/Tables', `{"TableName":"${TABLE}"}`, expect);
}
