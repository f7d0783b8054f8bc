// peer.ts - one of the two servers, and the etags of its answers.

import { createHmac } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';

import { partsOf, type RawAnswer } from './answer.js';
import { nameOf, withEtags, type Tag, type WireRequest } from './request.js';

const ACCOUNT = 'devstoreaccount1';
const KEY = Buffer.from(
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  'base64',
);
// Well formed, but no entity has it.
const NEVER_GIVEN = `W/"datetime'2000-01-01T00%3A00%3A00.0000000Z'"`;

export class Peer {
  readonly #url: string;
  readonly #etags = new Map<string, string[]>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** @param url - the account's address, without a slash at the end. */
  constructor(url: string) {
    this.#url = url;
  }

  async send(request: WireRequest): Promise<RawAnswer> {
    const find = (tag: Tag, key: string) => {
      const etags = this.#etags.get(key) ?? [];
      return (tag === 'current' ? etags.at(-1) : etags.at(-2)) ?? NEVER_GIVEN;
    };
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, withEtags(value, find)]),
    );
    const body = request.body && withEtags(request.body, find).replaceAll('\u0003', this.#url);
    const answer = await this.#exchange(request, headers, body);
    this.#remember(request, answer);
    return answer;
  }

  close(): void {
    this.#agent.destroy();
  }

  #remember({ keys, target }: WireRequest, answer: RawAnswer): void {
    const answers = target === '/$batch' ? partsOf(answer.body) : [answer];
    keys.forEach((key, index) => {
      const etag = answers[index]?.headers['etag'];
      if (typeof etag !== 'string') return;
      this.#etags.set(nameOf(key), [...(this.#etags.get(nameOf(key)) ?? []), etag]);
    });
  }

  #exchange(
    { method, target }: WireRequest,
    headers: Record<string, string>,
    body: string | undefined,
  ): Promise<RawAnswer> {
    const url = new URL(this.#url);
    const path = url.pathname + target;
    const date = new Date().toUTCString();
    const signed = `${date}\n/${ACCOUNT}${path.replace(/\?.*/, '')}`;
    const signature = createHmac('sha256', KEY).update(signed).digest('base64');
    const { promise, resolve, reject } = deferred<RawAnswer>();
    const sent = httpRequest(
      {
        host: url.hostname,
        port: url.port,
        agent: this.#agent,
        method,
        path,
        headers: {
          ...headers,
          Authorization: `SharedKeyLite ${ACCOUNT}:${signature}`,
          'x-ms-date': date,
          'x-ms-version': '2019-02-02',
          DataServiceVersion: '3.0',
          ...(body !== undefined && { 'Content-Length': `${Buffer.byteLength(body)}` }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece) => (text += piece));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
    return promise;
  }
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
