// batches.mjs - section 7.11 on the wire: multipart bodies, and every byte of the answers as
// recorded in payloads of the spec, 4.8.

import {
  batchText,
  CHANGED,
  changeSet,
  changeSetAnswer,
  CONTENT,
  created,
  deleted,
  deleting,
  entityJson,
  fails,
  feed,
  found,
  inserted,
  inserting,
  JSON_TYPE,
  merging,
  OPTIONS,
  query,
  queryAnswer,
  R1,
  reading,
  replacing,
  send,
  sendText,
  succeeds,
  T,
  unreadable,
  updated,
  writing,
} from './batch-wire.mjs';
import { randomBatches } from './random-batches.mjs';
import {
  ANY,
  TABLE,
  capturing,
  createTable,
  entities,
  entityAt,
  entityBody,
  get,
  insert,
} from './steps.mjs';

const numbered = (count) =>
  Array.from({ length: count }, (_, i) => `r${`${i + 1}`.padStart(3, '0')}`);

export const BATCHES = {
  436: () => [...T, send([inserting('r1')], succeeds(inserted('r1'))), feed('r1')],
  437: () => [
    ...T,
    send(
      [{ ...inserting('r1', { members: '"A":1' }), headers: JSON_TYPE }],
      succeeds(created('r1', entityJson('r1', '"A":1'))),
    ),
    feed('r1'),
  ],
  438: () => [
    ...T,
    send(
      [inserting('r1'), inserting('r2'), merging('r3'), replacing('r4')],
      succeeds(inserted('r1'), inserted('r2'), updated(), updated()),
    ),
    feed('r1', 'r2', 'r3', 'r4'),
  ],
  439: () => [
    ...R1,
    send([deleting('r1'), inserting('r2')], succeeds(deleted(), inserted('r2'))),
    feed('r2'),
  ],
  440: (row) => [
    ...R1,
    send([inserting('r2'), inserting('r1', { headers: { 'Content-ID': '2' } })], {
      ...fails(row),
      body: changeSetAnswer([
        [
          'HTTP/1.1 409 Conflict',
          'Content-ID: 2',
          ...OPTIONS,
          'Preference-Applied: return-no-content',
          ...['DataServiceVersion: 3.0;', CONTENT, ''],
          '{"odata.error":{"code":"EntityAlreadyExists","message":{"lang":"en-US",' +
            String.raw`"value":"1:The specified entity already exists.\nRequestId:{{any}}\nTime:{{any}}Z"}}}`,
        ],
      ]),
    }),
    feed('r1'),
  ],
  441: (row) => [
    ...R1,
    send([inserting('r1')], fails(row, { message: 'The specified entity already exists.' })),
  ],
  442: () => [
    ...T,
    send(
      numbered(100).map((name) => inserting(name)),
      succeeds(...numbered(100).map((name) => inserted(name))),
    ),
    get(entities(), { status: 200, count: 100 }),
  ],
  443: (row) => [
    ...T,
    send(
      numbered(101).map((name) => inserting(name)),
      fails(row, {
        message: '99:The batch request operation exceeds the maximum 100 changes per change set.',
      }),
    ),
    feed(),
  ],
  444: (row) => [
    ...T,
    send(
      [inserting('r1', { partitionKey: 'p1' }), inserting('r1', { partitionKey: 'p2' })],
      fails(row),
    ),
    feed(),
  ],
  445: (row) => [...T, send([inserting('r1'), merging('r1')], fails(row)), feed()],
  446: () => [
    ...T,
    createTable('Uab'),
    send([inserting('r1'), inserting('r2', { table: 'Uab' })], {
      status: 202,
      parts: [400],
      code: 'CommandsInBatchActOnDifferentPartitions',
      message: '1:',
    }),
    feed(),
  ],
  447: (row) => [
    ...T,
    send([deleting('r1')], fails(row, { message: 'The specified resource does not exist.' })),
  ],
  448: (row) => [...T, send([inserting('r1'), deleting('r2')], fails(row)), feed()],
  449: () => [
    ...T,
    send([inserting('r2'), inserting('r3'), merging('r1', ANY)], {
      status: 202,
      parts: [404],
      code: 'ResourceNotFound',
      message: '2:',
    }),
    feed(),
  ],
  450: (row) => [
    ...CHANGED,
    send(
      [replacing('r1', { 'If-Match': '{{tag}}' })],
      fails(row, {
        message: 'The update condition specified in the request was not satisfied.',
      }),
    ),
  ],
  451: () => [
    ...CHANGED,
    send([inserting('r2'), replacing('r1', { 'If-Match': '{{tag}}' })], {
      status: 202,
      parts: [412],
      code: 'UpdateConditionNotSatisfied',
      message: '1:',
    }),
    feed('r1'),
  ],
  452: (row) => [send([inserting('r1')], fails(row))],
  453: (row) => [...T, send([{ ...inserting('r1'), body: '{"PartitionKey":"p"}' }], fails(row))],
  454: (row) => [...T, send([inserting('a#b')], fails(row))],
  455: (row) => [
    ...T,
    send(
      [inserting('r1', { members: '"X":"{{65536*s}}"' })],
      fails(row, { message: 'The property value exceeds the maximum allowed size (64KB).' }),
    ),
  ],
  456: (row) => [...T, send([merging('a/b')], fails(row))],
  457: () => [
    ...R1,
    sendText(batchText(query(reading('r1'))), {
      status: 202,
      parts: [200],
      body: queryAnswer(found(entityJson('r1', '"A":1'))),
    }),
  ],
  458: (row) => [...T, sendText(batchText(query(reading('r1'))), fails(row))],
  459: () => [
    ...R1,
    send([reading('r1'), inserting('r2')], unreadable),
    send([inserting('r2'), reading('r1')], unreadable),
    sendText(batchText(changeSet([inserting('r2')]), query(reading('r1'))), unreadable),
    feed('r1'),
  ],
  460: () => [
    ...T,
    sendText(batchText(changeSet([inserting('r1')]), changeSet([inserting('r2')])), unreadable),
    feed(),
  ],
  461: () => [...R1, sendText(batchText(query(reading('r1')), query(reading('r1'))), unreadable)],
  462: () => [...T, send([], succeeds())],
  463: (row) => [
    ...T,
    send([inserting('r1', { members: '"X":{{4194304* }}1' })], row.outcome),
    feed(),
  ],
  464: () => [
    ...T,
    sendText(
      batchText(changeSet([inserting('r1')]))
        .replaceAll('Content-T', 'content-t')
        .replaceAll('Prefer', 'prefer'),
      succeeds(inserted('r1')),
    ),
    feed('r1'),
  ],
  465: () => [
    ...T,
    send(
      [inserting('r1', { headers: { 'Content-ID': '1' } }), merging('r2', { 'Content-ID': '2' })],
      succeeds(inserted('r1', '1'), updated('2')),
    ),
  ],
  466: () => [
    ...T,
    send([inserting('r1', { headers: { 'Content-ID': '0' } })], succeeds(inserted('r1'))),
  ],
  467: () => [
    ...T,
    send(
      [
        { ...merging('r1'), target: entityAt('p', 'r1') },
        { ...merging('r2'), target: entityAt('p', 'r2').slice(1) },
        { ...merging('r3'), target: `http://elsewhere${entityAt('p', 'r3')}` },
        { ...merging('r4'), target: `${entityAt('p', 'r4')}?timeout=30` },
        { ...merging('r5'), target: `/${TABLE}(PartitionKey='p', RowKey='r5')` },
      ],
      succeeds(...Array(5).fill(updated())),
    ),
    feed('r1', 'r2', 'r3', 'r4', 'r5'),
  ],
  468: () => [
    ...T,
    sendText(
      batchText(changeSet([{ ...inserting('r1'), body: `\r\n${entityBody('p', 'r1')}` }]))
        .replace('boundary=changeset_c1\r\n\r\n', '$&\r\n')
        .replace('POST', '\r\nPOST'),
      succeeds(inserted('r1')),
    ),
    feed('r1'),
  ],
  469: () => [
    ...T,
    sendText(batchText(changeSet([inserting('r1')])), succeeds(inserted('r1')), {
      'Content-Type': 'Multipart/Mixed; charset=utf-8; Boundary="batch_b1"',
    }),
  ],
  470: () => [
    ...T,
    sendText(
      batchText(changeSet([inserting('r1')])).replace(/\r\n$/, ''),
      succeeds(inserted('r1')),
    ),
    sendText(
      batchText(changeSet([inserting('r2')]))
        .replace('batch_b1--', 'batch_b1')
        .replace('changeset_c1--', 'changeset_c1'),
      succeeds(inserted('r2')),
    ),
    sendText(
      `This is no part.\r\n${batchText(changeSet([inserting('r3')]))}Nor is this.`.replaceAll(
        '\r\n',
        '\n',
      ),
      succeeds(inserted('r3')),
    ),
    feed('r1', 'r2', 'r3'),
  ],
  471: () => [
    ...R1,
    send([writing('PATCH', 'r1', ANY, '{"B":2}')], succeeds(updated())),
    send(
      [writing('POST', 'r1', { ...ANY, 'X-HTTP-Method': 'MERGE' }, '{"C":3}')],
      succeeds(updated()),
    ),
    get(entityAt('p', 'r1'), { status: 200, custom: { A: 1, B: 2, C: 3 } }),
  ],
  472: () => [
    ...T,
    send([inserting('r2'), inserting('r1', { headers: { 'Content-Type': 'text/plain' } })], {
      status: 202,
      parts: [400],
      code: 'InvalidInput',
      message: '1:',
    }),
    feed(),
  ],
  473: () => [
    ...T,
    send(
      [inserting('r1', { members: '"A":"x --changeset_c1 --changeset_c1--"' })],
      succeeds(inserted('r1')),
    ),
    get(entityAt('p', 'r1'), {
      status: 200,
      custom: { A: 'x --changeset_c1 --changeset_c1--' },
    }),
  ],
  474: () => [
    ...T,
    sendText(batchText(changeSet([inserting('r1')])), unreadable, {
      'Content-Type': 'multipart/mixed',
    }),
    sendText(batchText(changeSet([inserting('r1')])), unreadable, JSON_TYPE),
    feed(),
  ],
  477: () => [
    ...R1,
    insert('p', 'r2', ''),
    capturing(
      { batch: 'body' },
      send(
        [inserting('r3'), merging('r1'), replacing('r2')],
        succeeds(inserted('r3'), updated(), updated()),
      ),
    ),
    ...['r1', 'r2', 'r3'].flatMap((name) => [
      capturing({ [name]: 'header:ETag' }, get(entityAt('p', name), { status: 200 })),
      { check: { contains: ['batch', name] } },
    ]),
  ],
  478: () => [
    ...T,
    capturing(
      { type: 'header:Content-Type', batch: 'body' },
      send([inserting('r1')], {
        ...succeeds(inserted('r1')),
        headersHave: { 'Content-Type': 'multipart/mixed; boundary=batchresponse_' },
        headers: {
          'Cache-Control': 'no-cache',
          'X-Content-Type-Options': 'nosniff',
          'x-ms-version': '2019-02-02',
          'x-ms-request-id': true,
          Date: true,
        },
      }),
    ),
  ],
  549: () => [...T, ...randomBatches().map((text) => sendText(text, { status: [202, 400] }))],
};
