// client.mjs - a minimal client, so that the benchmark measures the servers. Node's own client
// needs more time for a request than a server.

import { createHmac } from 'node:crypto';

import { Connection } from './connection.mjs';

export const ACCOUNT = 'devstoreaccount1';
export const KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

const KEY_BYTES = Buffer.from(KEY, 'base64');
const HEADERS = {
  Accept: 'application/json;odata=nometadata',
  'Content-Type': 'application/json',
  'x-ms-version': '2019-02-02',
  DataServiceVersion: '3.0',
};

/** Sends signed requests to one server, and keeps its connections open. */
export class Client {
  #url;
  #idle;
  #waiting = [];

  /** @param url - the address of the account, without a slash at the end. */
  constructor(url, { connections }) {
    this.#url = new URL(url);
    const { hostname, port } = this.#url;
    this.#idle = Array.from({ length: connections }, () => new Connection(hostname, port));
  }

  get url() {
    return this.#url.href;
  }

  /** Returns the body of the answer. Throws if the status is 400 or more. */
  async send(method, target, body, headers) {
    const head = this.#headOf(method, this.#url.pathname + target, body, headers);
    const connection = this.#idle.pop() ?? (await new Promise((take) => this.#waiting.push(take)));
    const { status, text } = await connection.send(body ? head + body : head);
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#idle.push(connection);
    if (status >= 400) throw new Error(`${method} ${target}: ${status} ${text}`);
    return text;
  }

  #headOf(method, path, body, headers) {
    const date = new Date().toUTCString();
    const signature = createHmac('sha256', KEY_BYTES)
      .update(`${date}\n/${ACCOUNT}${path.replace(/\?.*/, '')}`)
      .digest('base64');
    const lines = {
      ...HEADERS,
      ...headers,
      Host: this.#url.host,
      'x-ms-date': date,
      Authorization: `SharedKeyLite ${ACCOUNT}:${signature}`,
      ...(body && { 'Content-Length': Buffer.byteLength(body) }),
    };
    let head = `${method} ${path} HTTP/1.1\r\n`;
    for (const name in lines) head += `${name}: ${lines[name]}\r\n`;
    return `${head}\r\n`;
  }

  close() {
    for (const connection of this.#idle) connection.close();
  }
}
