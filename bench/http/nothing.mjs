// nothing.mjs - a server that stores nothing and always sends the same answer. Its time is that of
// Node, the connection and the client.

import { createServer } from 'node:http';

const HEADERS = {
  Server: 'nothing',
  'Content-Type': 'application/json;odata=nometadata;streaming=true;charset=utf-8',
  'x-ms-request-id': '0c3f3bb9-7d3c-4b60-a4c4-6d8b4d3a4e77',
  'x-ms-version': '2019-02-02',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
  DataServiceVersion: '3.0;',
  ETag: 'W/"datetime\'2026-01-02T03%3A04%3A05.1234567Z\'"',
};

const ENTITY = {
  PartitionKey: 'single',
  RowKey: '001234',
  Timestamp: '2026-01-02T03:04:05.1234567Z',
  Name: 'entity number 1234 of many',
  City: 'Perth',
  Count: 71571,
  Share: 0.23771313941825478,
  Active: false,
  'Seen@odata.type': 'Edm.DateTime',
  Seen: '2020-09-14T09:00:00.000Z',
};

// As long as the answer of both other servers to a batch of 100.
const PART =
  '--changesetresponse_0c3f3bb9-7d3c-4b60-a4c4-6d8b4d3a4e77\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 204 No Content\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\nPreference-Applied: return-no-content\r\nDataServiceVersion: 3.0;\r\nETag: W/"datetime\'2026-01-02T03%3A04%3A05.1234567Z\'"\r\n\r\n\r\n';
const BATCH = Buffer.from(PART.repeat(100));
const ONE = Buffer.from(JSON.stringify(ENTITY));
const PAGE = Buffer.from(JSON.stringify({ value: Array.from({ length: 1000 }, () => ENTITY) }));
const NO_ENTITY = Buffer.from('{"value":[]}');

function answerTo({ method, url }) {
  if (method === 'POST') return url.endsWith('/$batch') ? BATCH : undefined;
  if (!url.includes('$filter')) return ONE;
  return url.includes('PartitionKey') ? PAGE : NO_ENTITY;
}

const server = createServer((request, response) => {
  const answer = () => {
    const body = answerTo(request);
    response.writeHead(body ? 200 : 204, { ...HEADERS, 'Content-Length': body?.length ?? 0 });
    response.end(body);
  };
  if (request.method !== 'POST') return answer();
  // A server reads the body before it answers.
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', answer);
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('successfully started'));
