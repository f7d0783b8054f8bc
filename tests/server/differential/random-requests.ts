// random-requests.ts - random requests, of which some are wrong.

import { randomSource } from '../../../scripts/conformance/random.mjs';
import { randomFilter } from './random-filters.js';
import { randomEntity } from './random-values.js';
import { etagOf, type Key, type WireRequest } from './request.js';

export type Random = ReturnType<typeof randomSource>;

const ACCEPT = [
  'application/json;odata=minimalmetadata',
  'application/json;odata=fullmetadata',
  'application/json;odata=nometadata',
] as const;
const PARTITIONS = ['p', 'q', 'P', 'p\u00e9', ''] as const;
const ROWS = ['1', '2', '3', "O'Neil", 'a b', '10', ''] as const;
const BAD_KEYS = ['a/b', 'a\\b', 'a#b', 'a?b', 'a\tb', 'a\u0085b'] as const;
const BAD_ETAGS = ['"plain"', 'nonsense', 'W/"other"', `W/"datetime'2001'"`] as const;

/** Draws requests to one table. The other tables that it makes have the same prefix. */
export class RandomRequests {
  readonly #random: Random;
  readonly #table: string;

  constructor(random: Random, table: string) {
    this.#random = random;
    this.#table = table;
  }

  next(): WireRequest {
    const kind = this.#random.below(100);
    if (kind < 6) return this.#tables();
    if (kind < 30) return this.#insert();
    if (kind < 48) return this.#write();
    if (kind < 54) return this.#remove();
    if (kind < 62) return this.#point();
    if (kind < 82) return this.#query();
    if (kind < 96) return this.#batch();
    return this.#bad();
  }

  #key(): Key {
    return { partition: this.#random.one(PARTITIONS), row: this.#random.one(ROWS) };
  }

  #tables(): WireRequest {
    const { one, chance } = this.#random;
    const name = `${this.#table}${one(['a', 'b', 'A', 'c'])}`;
    const of = { headers: { Accept: one(ACCEPT) }, keys: [] };
    if (chance(0.4)) {
      const bad = chance(0.3) ? one(['1bad', 'no-dash', 'ab', 'x'.repeat(64), 'tables', '']) : '';
      return post('/Tables', { TableName: bad || name }, of, [
        'create-table',
        ...(bad ? ['bad-table-name'] : []),
      ]);
    }
    if (chance(0.4)) {
      return { ...of, method: 'DELETE', target: `/Tables('${name}')`, tags: ['delete-table'] };
    }
    const filter = `TableName ge '${this.#table}' and TableName lt '${this.#table}zz'`;
    const target = `/Tables?$filter=${encodeURIComponent(filter)}`;
    return { ...of, method: 'GET', target, tags: ['list-tables'] };
  }

  #insert(): WireRequest {
    const { one, chance } = this.#random;
    const key = this.#key();
    const isBad = chance(0.08);
    const { properties, tags } = randomEntity(this.#random);
    const prefer = chance(0.5) ? one(['return-content', 'return-no-content']) : undefined;
    const headers = { Accept: one(ACCEPT), ...(prefer && { Prefer: prefer }) };
    const row = isBad ? one(BAD_KEYS) : key.row;
    const body = { PartitionKey: key.partition, RowKey: row, ...properties };
    return post(`/${this.#table}`, body, { headers, keys: isBad ? [] : [key] }, [
      'insert',
      ...tags,
      ...(isBad ? ['bad-key'] : []),
      ...(prefer ? [prefer] : ['no-prefer']),
    ]);
  }

  #write(): WireRequest {
    const { one } = this.#random;
    const key = this.#key();
    const { properties, tags } = randomEntity(this.#random);
    const { header, tag } = this.#ifMatch(key);
    const method = one(['PUT', 'MERGE', 'PATCH']);
    return {
      method,
      target: this.#address(key),
      headers: {
        'Content-Type': 'application/json',
        Accept: one(ACCEPT),
        ...(header !== undefined && { 'If-Match': header }),
      },
      body: JSON.stringify(properties),
      tags: ['write', method, tag, ...tags],
      keys: [key],
    };
  }

  #remove(): WireRequest {
    const key = this.#key();
    const { header, tag } = this.#ifMatch(key);
    return {
      method: 'DELETE',
      target: this.#address(key),
      headers: { Accept: ACCEPT[2], ...(header !== undefined && { 'If-Match': header }) },
      tags: ['delete', tag],
      keys: [],
    };
  }

  #ifMatch(key: Key): { header: string | undefined; tag: string } {
    const { below, one } = this.#random;
    const kind = below(20);
    if (kind < 6) return { header: undefined, tag: 'no-if-match' };
    if (kind < 11) return { header: '*', tag: 'if-match-any' };
    if (kind < 16) return { header: etagOf('current', key), tag: 'if-match-current' };
    if (kind < 19) return { header: etagOf('stale', key), tag: 'if-match-stale' };
    return { header: one(BAD_ETAGS), tag: 'if-match-bad' };
  }

  #point(): WireRequest {
    const { one, chance } = this.#random;
    const key = this.#key();
    const select = chance(0.3) ? '?$select=Text,Missing' : '';
    return {
      method: 'GET',
      target: this.#address(key) + select,
      headers: { Accept: one(ACCEPT) },
      tags: ['point', ...(select ? ['select'] : [])],
      keys: [key],
    };
  }

  #query(): WireRequest {
    const { one, chance } = this.#random;
    const query = new URLSearchParams();
    const tags = ['query'];
    if (chance(0.85)) {
      const filter = randomFilter(this.#random);
      query.set('$filter', filter.text);
      tags.push(...filter.tags);
    }
    if (chance(0.3)) {
      const top = one(['1', '2', '3', '1000', '0', '1001', '-1', 'x']);
      query.set('$top', top);
      tags.push(`top=${top}`);
    }
    if (chance(0.2)) {
      query.set('$select', 'PartitionKey,RowKey,Text,Missing');
      tags.push('select');
    }
    const text = query.toString().replaceAll('+', '%20');
    return {
      method: 'GET',
      target: `/${this.#table}()${text ? `?${text}` : ''}`,
      headers: { Accept: one(ACCEPT) },
      tags,
      keys: [],
    };
  }

  #batch(): WireRequest {
    const { below, chance, one } = this.#random;
    const partition = one(PARTITIONS);
    const keys: Key[] = [];
    const tags = ['batch'];
    const isMixed = chance(0.1);
    const parts: string[] = [];
    for (let left = 1 + below(4); left > 0; left--) {
      const key = { ...this.#key(), ...(isMixed ? {} : { partition }) };
      if (keys.some((other) => other.partition === key.partition && other.row === key.row)) {
        tags.push('duplicate-row');
      }
      if (keys.some((other) => other.partition !== key.partition)) tags.push('mixed-partitions');
      if (key.partition === '' || key.row === '') tags.push('batch-empty');
      keys.push(key);
      parts.push(this.#part(key, parts.length, tags));
    }
    if (parts.length === 1) tags.push('one-operation');
    return { ...batchOf(parts), tags, keys };
  }

  #part(key: Key, index: number, tags: string[]): string {
    const { one, chance } = this.#random;
    const { properties, tags: more } = randomEntity(this.#random, { isPlain: chance(0.8) });
    tags.push(...more);
    const lines = ['Accept: application/json;odata=minimalmetadata'];
    if (chance(0.5)) lines.push(`Content-ID: ${index + 1}`);
    if (chance(0.5)) {
      tags.push('batch-insert');
      const prefer = one(['', 'return-content', 'return-no-content']);
      if (prefer) lines.push(`Prefer: ${prefer}`);
      const body = { PartitionKey: key.partition, RowKey: key.row, ...properties };
      return part('POST', `/${this.#table}`, lines, JSON.stringify(body));
    }
    const { header, tag } = this.#ifMatch(key);
    if (header !== undefined) lines.push(`If-Match: ${header}`);
    if (chance(0.3)) {
      tags.push(`batch-delete-${tag}`);
      return part('DELETE', this.#address(key), lines);
    }
    tags.push(`batch-write-${tag}`);
    const body = JSON.stringify(properties);
    if (body === '{}') tags.push('batch-empty');
    return part(one(['PUT', 'MERGE', 'PATCH']), this.#address(key), lines, body);
  }

  #bad(): WireRequest {
    const { one } = this.#random;
    const json = { 'Content-Type': 'application/json', Accept: ACCEPT[2] };
    const of = { headers: json, keys: [], method: 'POST', target: `/${this.#table}` };
    const requests: WireRequest[] = [
      { ...of, body: '{"PartitionKey":"p","RowKey"', tags: ['bad-json'] },
      { ...of, body: '[]', tags: ['bad-json'] },
      { ...of, body: '{"RowKey":"r"}', tags: ['no-partition-key'] },
      { ...of, body: '{"PartitionKey":1,"RowKey":"r"}', tags: ['key-no-text'] },
      { ...of, target: '/Missing0', body: '{"PartitionKey":"p","RowKey":"r"}', tags: ['no-table'] },
      { ...of, method: 'GET', target: '/Missing0()', tags: ['no-table'] },
      { ...of, method: 'GET', target: `/${this.#table}(PartitionKey='p')`, tags: ['bad-address'] },
      { ...of, method: 'PUT', target: `/${this.#table}()`, body: '{}', tags: ['bad-method'] },
      {
        ...of,
        headers: { ...json, 'Content-Type': 'text/plain' },
        body: '{"PartitionKey":"p","RowKey":"type"}',
        tags: ['bad-content-type'],
      },
    ];
    return one(requests);
  }

  #address({ partition, row }: Key): string {
    const quoted = (text: string) => encodeURIComponent(text.replaceAll("'", "''"));
    return `/${this.#table}(PartitionKey='${quoted(partition)}',RowKey='${quoted(row)}')`;
  }
}

function post(
  target: string,
  body: object,
  of: Pick<WireRequest, 'headers' | 'keys'>,
  tags: string[],
): WireRequest {
  const headers = { ...of.headers, 'Content-Type': 'application/json' };
  return { ...of, method: 'POST', target, headers, body: JSON.stringify(body), tags };
}

// In front of the path of a part, \u0003 is the address of the server.
function part(method: string, target: string, lines: string[], body?: string): string {
  const head = [`${method} \u0003${target} HTTP/1.1`, ...lines];
  if (body !== undefined) head.push('Content-Type: application/json');
  return [
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    '',
    ...head,
    '',
    body ?? '',
  ].join('\r\n');
}

function batchOf(parts: string[]): Pick<WireRequest, 'method' | 'target' | 'headers' | 'body'> {
  const inner = parts.map((text) => `--changeset_c\r\n${text}\r\n`).join('');
  return {
    method: 'POST',
    target: '/$batch',
    headers: { 'Content-Type': 'multipart/mixed; boundary=batch_b', Accept: 'application/json' },
    body: `--batch_b\r\nContent-Type: multipart/mixed; boundary=changeset_c\r\n\r\n${inner}--changeset_c--\r\n--batch_b--\r\n`,
  };
}
