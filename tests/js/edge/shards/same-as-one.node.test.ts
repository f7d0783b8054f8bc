// An account over several beside one account: the answers must be the same, byte by byte.

import { describe, expect, it } from 'vitest';

import { BASE_URL, JSON_HEADERS, openSharded } from '../../support/shards.js';
import { randomNumbers, testSeed } from '../../support/random-numbers.js';

const seed = testSeed();
const random = randomNumbers(seed);
const oneOf = <T>(values: readonly T[]): T => values[random(values.length)]!;

// In the order of UTF-16, which is not that of code points, and with characters that JSON escapes.
const PARTITIONS = ['', 'a', 'a"b', "it's", 'B', 'é', '\u{1F600}', '\uFFFD', 'zz', 'c,d', '}]'];
const ROWS = ['', '1', '10', '2', "'", '"', '{', '\u{1F600}x', '\uE000'];
const LEVELS = ['no', 'minimal', 'full'];
const SELECTS = [
  ...[undefined, '', '*', ' ', 'age', 'PartitionKey', 'RowKey,age', 'none', 'age, name ,Timestamp'],
  ...['RowKey,PartitionKey', 'text,PartitionKey', 'Timestamp'],
];
const FILTERS = [
  ...[undefined, '', 'age ge 20', "PartitionKey ge 'a'", "RowKey eq '1'", "PartitionKey eq 'a'"],
  ...["PartitionKey eq 'B' or PartitionKey eq 'zz'", 'age eq 1000', "RowKey gt '1' and age lt 30"],
];

// Its time differs, and so does the request.
const compared = (text: string, status: number) =>
  text
    .replace(/\d{4}-\d\d-\d\dT[\d:.%A]*Z/g, 'TIME')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'GUID') + status;

async function seen(answer: Response): Promise<{ text: string; tokens: string }> {
  const headers = [...answer.headers].filter(
    ([name]) => !['date', 'content-length'].includes(name),
  );
  const text = `${headers.map((pair) => pair.join(': ')).join('\n')}\n\n${await answer.text()}`;
  const tokens = ['NextPartitionKey', 'NextRowKey'].flatMap((name) => {
    const plain = answer.headers.get(`x-ms-continuation-${name}`);
    const inBatch = new RegExp(`^x-ms-continuation-${name}: (.*)\r$`, 'm').exec(text)?.[1];
    const token = plain ?? inBatch;
    return token === undefined ? [] : [`${name}=${encodeURIComponent(token)}`];
  });
  return { text: compared(text, answer.status), tokens: tokens.join('&') };
}

type Send = (method: string, path: string, init?: RequestInit) => Promise<{ tokens: string }>;

/** An account over four and one account, with the same entities, that get the same requests. */
async function besides(): Promise<Send> {
  const sharded = await openSharded(4);
  const one = await openSharded(1);
  const both: Send = async (method, path, init = {}) => {
    const request = () => new Request(BASE_URL + path, { method, ...init });
    const answers = await Promise.all([sharded.router(request()), one.tables(request())]);
    const [found, expected] = await Promise.all(answers.map(seen));
    expect(found!.text, `${method} ${path}`).toBe(expected!.text);
    return found!;
  };

  await both('POST', '/Tables', { headers: JSON_HEADERS, body: '{"TableName":"Pets"}' });
  for (const partition of PARTITIONS) {
    for (const row of ROWS) {
      const values = { age: random(40), text: oneOf(['}', '"', '\\', '\\"', 'é', 'a,"b":1']) };
      const entity = { PartitionKey: partition, RowKey: row, ...values, big: 1e30, zero: -0.5 };
      const wide = { 'when@odata.type': 'Edm.DateTime', when: '2020-01-02T03:04:05Z' };
      const body = JSON.stringify(random(3) === 0 ? { ...entity, ...wide } : entity);
      await both('POST', '/Pets', { headers: JSON_HEADERS, body });
    }
  }
  return both;
}

describe(`an account over four (seed ${seed})`, { timeout: 60_000 }, () => {
  const query = (top?: number) => {
    const pairs = Object.entries({ $filter: oneOf(FILTERS), $select: oneOf(SELECTS), $top: top });
    const given = pairs.filter(([, value]) => value !== undefined);
    return given.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join('&');
  };
  const acceptOf = (level: string) => ({ Accept: `application/json;odata=${level}metadata` });

  it('answers queries with the same bytes and pages', async () => {
    const both = await besides();
    for (let at = 0; at < 60; at++) {
      const options = query(oneOf([undefined, 0, 1, 2, 3, 7, 20, 99, 1000]));
      const headers = acceptOf(oneOf(LEVELS));
      let tokens: string | undefined = '';
      for (let page = 0; tokens !== undefined && page < 120; page++) {
        const found = await both('GET', `/Pets()?${options}&${tokens}`, { headers });
        tokens = found.tokens || undefined;
      }
    }
  });

  it('answers queries of batches with the same bytes and pages', async () => {
    const both = await besides();
    for (let at = 0; at < 30; at++) {
      const options = query(oneOf([undefined, 1, 5, 20]));
      let tokens: string | undefined = '';
      for (let page = 0; tokens !== undefined && page < 120; page++) {
        const accept = `Accept: ${acceptOf(oneOf(LEVELS)).Accept}`;
        const address = `${BASE_URL}/Pets()?${options}&${tokens}`;
        const body =
          '--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
          `GET ${address} HTTP/1.1\r\n${accept}\r\n\r\n--b--\r\n`;
        const headers = { 'Content-Type': 'multipart/mixed; boundary=b' };
        const found = await both('POST', '/$batch', { headers, body });
        tokens = found.tokens || undefined;
      }
    }
  });

  it('refuses wrong queries in the same words', async () => {
    const both = await besides();
    for (const path of [
      ...['/Pets?$filter=age%20eq', '/Pets?$top=2000', '/Pets?$select=1', '/None', '/Pets?$skip=1'],
      ...['/Pets?NextRowKey=1!4!YQ--', '/Pets?NextPartitionKey=x', '/Pets?$top=1&$top=1'],
      ...["/Pets(PartitionKey='a')", '/Pets?$filter=age%20eq%20%27', '/a/b', '/Pets?comp=x'],
    ]) {
      await both('GET', path, { headers: acceptOf('minimal') });
    }
  });

  it('exposes the same headers to a page of another origin', async () => {
    const both = await besides();
    const rules =
      '<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>*</AllowedOrigins>' +
      '<AllowedMethods>GET</AllowedMethods><MaxAgeInSeconds>7</MaxAgeInSeconds>' +
      '<ExposedHeaders>*</ExposedHeaders><AllowedHeaders>*</AllowedHeaders></CorsRule></Cors>' +
      '</StorageServiceProperties>';
    await both('PUT', '/?restype=service&comp=properties', { body: rules });
    const headers = { ...acceptOf('no'), Origin: 'https://a.example' };
    for (const top of [1, 98, 1000]) await both('GET', `/Pets?$top=${top}`, { headers });
  });
});
