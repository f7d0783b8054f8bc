// client.mjs - the least that a client can be: what is measured are the servers.

import { createHmac } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';

export const ACCOUNT = 'devstoreaccount1';
export const KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

const KEY_BYTES = Buffer.from(KEY, 'base64');
const JSON_TYPES = {
  Accept: 'application/json;odata=nometadata',
  'Content-Type': 'application/json',
};

/** Requests to one server, signed, over connections that are kept. */
export class Client {
  #url;
  #agent;

  /** @param url - the account's address, without a slash at the end. */
  constructor(url, { connections }) {
    this.#url = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  get url() {
    return this.#url.href;
  }

  /** The body of the answer; a status of 400 or more is an error. */
  send(method, target, body, headers = {}) {
    const path = this.#url.pathname + target;
    const date = new Date().toUTCString();
    const signature = createHmac('sha256', KEY_BYTES)
      .update(`${date}\n/${ACCOUNT}${path.replace(/\?.*/, '')}`)
      .digest('base64');
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        {
          host: this.#url.hostname,
          port: this.#url.port,
          agent: this.#agent,
          method,
          path,
          headers: {
            ...JSON_TYPES,
            ...headers,
            Authorization: `SharedKeyLite ${ACCOUNT}:${signature}`,
            'x-ms-date': date,
            'x-ms-version': '2019-02-02',
            DataServiceVersion: '3.0',
            ...(body && { 'Content-Length': Buffer.byteLength(body) }),
          },
        },
        (response) => {
          const pieces = [];
          response.on('data', (piece) => pieces.push(piece)).on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(pieces).toString();
            if (response.statusCode < 400) resolve(text);
            else reject(new Error(`${method} ${target}: ${response.statusCode} ${text}`));
          });
        },
      );
      sent.on('error', reject).end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}
