// flood.ts - many requests at once, as plain HTTP/1.1, and what came back.

import { connect } from 'node:net';

export interface Reply {
  readonly status: number;
  /** Of a short one. */
  readonly text: string;
}

const HEAD = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n([^]*?\r\n)?\r\n/;
// Lists are counted, not kept.
const SHORT_BODY = 64 * 1024;
const LONG_TEXT = 'x'.repeat(32_000);

/**
 * Sends requests one after another on a connection without waiting, and returns what was answered
 * until all were, or until the server ended it.
 */
export async function pipeline(
  server: URL,
  requests: readonly (string | Buffer)[],
): Promise<Reply[]> {
  const socket = connect(Number(server.port), server.hostname);
  // After an error, the answers so far count.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const replies: Reply[] = [];
  const reader = readReplies((reply) => {
    replies.push(reply);
    if (replies.length === requests.length) socket.end();
  });
  socket.on('data', reader);
  for (const request of requests) socket.write(request);
  await closed;
  return replies;
}

// Takes the bytes as they come.
function readReplies(onReply: (reply: Reply) => void): (bytes: Buffer) => void {
  let head = '';
  let body: { status: number; left: number; text: string } | undefined;
  const take = (bytes: Buffer): Buffer => {
    if (body) {
      const part = bytes.subarray(0, body.left);
      body.left -= part.length;
      if (body.text.length < SHORT_BODY) body.text += part.toString('latin1');
      return bytes.subarray(part.length);
    }
    const before = head.length;
    head += bytes.toString('latin1');
    const found = HEAD.exec(head);
    if (!found) return bytes.subarray(bytes.length);
    const length = /^content-length: (\d+)/im.exec(found[0])?.[1] ?? '0';
    body = { status: Number(found[1]), left: Number(length), text: '' };
    const used = found[0].length - before;
    head = '';
    return bytes.subarray(used);
  };
  return (bytes) => {
    let rest = bytes;
    do {
      rest = take(rest);
      if (body?.left !== 0) continue;
      onReply({ status: body.status, text: body.text });
      body = undefined;
    } while (rest.length > 0);
  };
}

/** The bytes of a request. */
export function request(
  method: string,
  target: string,
  body = '',
  type = 'application/json',
): Buffer {
  const bytes = Buffer.from(body);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Accept: application/json;odata=nometadata',
    'x-ms-version: 2019-02-02',
    ...(bytes.length > 0 ? [`Content-Type: ${type}`, `Content-Length: ${bytes.length}`] : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

/** An entity of half a megabyte. It is about the largest one, because its texts count as UTF-16. */
export function entity(rowKey: string): string {
  const texts = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`Text${i}`, LONG_TEXT]));
  return JSON.stringify({ PartitionKey: 'p', RowKey: rowKey, ...texts });
}

/** The request of a transaction that inserts entities. */
export function batch(account: string, table: string, entities: readonly string[]): Buffer {
  const changes = entities.map(
    (body) =>
      `--changeset_1\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n` +
      `POST ${account}/${table} HTTP/1.1\r\nContent-Type: application/json\r\nPrefer: return-no-content\r\n` +
      `Accept: application/json;odata=nometadata\r\n\r\n${body}\r\n`,
  );
  const body =
    `--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n` +
    `${changes.join('')}--changeset_1--\r\n--batch_1--\r\n`;
  return request('POST', `${account}/$batch`, body, 'multipart/mixed; boundary=batch_1');
}
