// case-run.ts - runs a conformance case with the module.

import { TableError } from '../../../../js/src/base/errors.js';
import { readAnswer } from '../../../../js/src/core/frames.js';
import type { CoreModule, Engine } from '../../../../js/src/core/module.js';
import { Session } from '../../../../js/src/core/session.js';
import {
  httpFrame,
  readHttpAnswer,
  type HttpAnswer,
  type HttpRequest,
} from '../../../../js/src/http/frames.js';
import { memoryStorage } from '../../../../js/src/storage/memory.js';
import { loadPageModule } from '../modules.js';
import {
  failedPart,
  mismatches,
  transactionMismatches,
  type HttpView,
  type Observed,
  type TransactionView,
} from './expectations.js';
import type { ConformanceCase, Loops, Part, Send, Sign, Step } from './files.js';
import { expand, type Variables } from './macros.js';
import { vectorMismatches } from './signer.js';
import { transactionFrame } from './transaction-frame.js';

/** The way of requests to the core, and the account. */
export interface Transport {
  readonly account: string;
  readonly baseUrl: string;
  handlerFor(
    session: Session,
  ): (request: PlainRequest, sign: Sign | undefined) => Promise<HttpAnswer>;
  /** Closes what the last handler has opened. */
  close?(): Promise<void>;
}

export type PlainRequest = Pick<HttpRequest, 'method' | 'body'> & {
  /** Below the account's address. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
};

export const TO_THE_CORE: Transport = {
  account: 'acct',
  baseUrl: 'https://acct.table.core.windows.net',
  handlerFor: (session) => async (plain) => {
    const request = { ...plain, requestId: crypto.randomUUID() };
    const submit = (answered?: string) =>
      session.submit({
        frame: () => httpFrame({ ...request, answered }),
        read: readHttpAnswer,
        bytes: 0,
        isWrite: true,
      });
    const answer = await submit();
    // The CORS headers for a page of another origin.
    if (request.method === 'OPTIONS' || !request.headers.some(([name]) => name === 'Origin')) {
      return answer;
    }
    const { headers } = await submit(answer.headers.map(([name]) => name).join());
    return { ...answer, headers: [...answer.headers, ...headers] };
  },
};

const DEFAULT_HEADERS = {
  Accept: 'application/json;odata=minimalmetadata',
  'x-ms-version': '2019-02-02',
  DataServiceVersion: '3.0',
};
const JSON_BODY = { 'Content-Type': 'application/json' };
const TOKENS = ['NextPartitionKey', 'NextRowKey'];

/** The expectations that do not hold. Those in `soft` are only reported. */
export interface CaseOutcome {
  readonly failures: string[];
  readonly soft: string[];
}

/** Runs a case in an account of its own. `moveClock` moves the time of Date.now(). */
export async function runConformanceCase(
  one: ConformanceCase,
  moveClock: (milliseconds: number) => void,
  transport = TO_THE_CORE,
): Promise<CaseOutcome> {
  const run = new CaseRun(moveClock, transport);
  await run.open();
  try {
    for (const step of one.steps) await run.run(step);
  } finally {
    await run.close();
  }
  return run.outcome;
}

class CaseRun {
  readonly outcome: CaseOutcome = { failures: [], soft: [] };
  readonly #storage = memoryStorage();
  readonly #variables: Variables;
  readonly #transport: Transport;
  readonly #moveClock: (milliseconds: number) => void;
  #session: Session | undefined;
  #handle: ReturnType<Transport['handlerFor']> | undefined;
  #engine: Engine | undefined;

  constructor(moveClock: (milliseconds: number) => void, transport: Transport) {
    const { account, baseUrl } = transport;
    this.#moveClock = moveClock;
    this.#transport = transport;
    this.#variables = new Map([
      ['base', baseUrl],
      ['account', account],
    ]);
  }

  async open(): Promise<void> {
    const module = await loadPageModule();
    const keep = (engine: Engine) => (this.#engine = engine);
    const watched: CoreModule = {
      get HEAPU8() {
        return module.HEAPU8;
      },
      get step() {
        return module.step;
      },
      Engine: class {
        constructor(...options: ConstructorParameters<CoreModule['Engine']>) {
          return keep(new module.Engine(...options));
        }
      } as unknown as CoreModule['Engine'],
      ...{ validate: module.validate, route: module.route },
    };
    const { account, baseUrl } = this.#transport;
    this.#session = new Session(watched, { account, baseUrl, storage: this.#storage });
    this.#handle = this.#transport.handlerFor(this.#session);
  }

  async close(): Promise<void> {
    await this.#session?.close();
    await this.#transport.close?.();
  }

  async run(step: Step): Promise<void> {
    if (step.send) await this.#send(step, step.send);
    else if (step.transaction) await this.#repeat(step.for, () => this.#transact(step));
    else if (step.clock !== undefined) this.#moveClock(step.clock);
    else if (step.check) this.#check(step.check);
    else if (step.vector) this.outcome.failures.push(...(await vectorMismatches(step.vector)));
    else {
      await this.close();
      await this.open();
    }
  }

  // The requests of a loop go to the core together.
  async #send(step: Step, send: Send): Promise<void> {
    const before = mayFail(step) ? await this.#contents() : '';
    const examined = this.#engine!.examinedEntities();
    const sent: Promise<HttpView>[] = [];
    await this.#repeat(step.for, () => {
      sent.push(this.#sendOne(send, this.#expand(send.target)));
    });
    for (const answer of await Promise.all(sent)) {
      const pages: Observed['pages'] = step.follow ? await this.#follow(send, answer) : [answer];
      this.#capture(step, answer);
      this.#compare(step, send, {
        pages,
        examined: this.#engine!.examinedEntities() - examined,
      });
      if (answer.status >= 400 || failedPart(answer.body)) await this.#checkUnchanged(before);
    }
  }

  async #follow(send: Send, first: HttpView): Promise<Observed['pages']> {
    const pages: [HttpView, ...HttpView[]] = [first];
    const target = this.#expand(send.target);
    for (let last = first; ;) {
      const next = TOKENS.flatMap((name) => {
        const token = last.headers.get(`x-ms-continuation-${name}`.toLowerCase());
        return token === undefined ? [] : [`${name}=${encodeURIComponent(token)}`];
      });
      if (next.length === 0) return pages;
      const separator = target.includes('?') ? '&' : '?';
      last = await this.#sendOne(send, `${target}${separator}${next.join('&')}`);
      pages.push(last);
    }
  }

  async #sendOne(send: Send, target: string): Promise<HttpView> {
    const body =
      send.body === undefined ? undefined : new TextEncoder().encode(this.#expand(send.body));
    const headers = { ...DEFAULT_HEADERS, ...(body && JSON_BODY), ...send.headers };
    const request = {
      method: send.method,
      target,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        (value === null ? [] : [value].flat()).map((one) => [name, this.#expand(one)] as const),
      ),
      body,
    };
    const answer = await this.#handle!(request, send.sign);
    return {
      status: answer.status,
      headers: new Map(answer.headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(answer.body),
    };
  }

  async #transact(step: Step): Promise<void> {
    const before = mayFail(step) ? await this.#contents() : '';
    const parts: Part[] = [];
    for (const { for: loops, ...part } of step.transaction ?? []) {
      await this.#repeat(loops, () => {
        const texts = Object.entries(part).map(([name, value]) => [
          name,
          typeof value === 'string' ? this.#expand(value) : value,
        ]);
        parts.push(Object.fromEntries(texts));
      });
    }
    const view = await this.#during(this.#outcomeOf(parts), step.meanwhile);
    for (const [name, from] of Object.entries(step.capture ?? {})) {
      const [kind, index] = from.split(':');
      const part = 'parts' in view ? view.parts[Number(index)] : undefined;
      this.#variables.set(name, (kind === 'part' ? part?.etag : part?.body) ?? '');
    }
    this.outcome.failures.push(...transactionMismatches(view, step.expect ?? {}));
    if ('code' in view) await this.#checkUnchanged(before);
  }

  // Waits for the work, and repeats the step until then.
  async #during<T>(work: Promise<T>, meanwhile: Step | undefined): Promise<T> {
    if (!meanwhile) return work;
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    while (!isDone) await this.run(meanwhile);
    return done;
  }

  async #outcomeOf(parts: Part[]): Promise<TransactionView> {
    try {
      if (!parts.some(({ echo }) => echo)) {
        return await this.#session!.request({ kind: 'transaction', parts });
      }
      return await this.#session!.submit({
        frame: () => transactionFrame(parts),
        read: readAnswer,
        bytes: 0,
        isWrite: true,
      });
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      const operation = error.details.operationIndex;
      return {
        status: error.statusCode,
        code: error.code,
        message: error.details.odataError.message.value.slice(
          operation === undefined ? 0 : `${operation}:`.length,
        ),
        operation,
      };
    }
  }

  #compare(step: Step, { method, target }: Send, observed: Observed): void {
    const [answer] = observed.pages;
    if (!step.expect) {
      if (answer.status >= 400)
        this.outcome.failures.push(`a step on the way failed: ${answer.body}`);
      return;
    }
    const failures = mismatches(observed, step.expect, this.#variables);
    this.outcome.failures.push(
      ...failures.map((line) => `${method} ${target.slice(0, 200)}: ${line}`),
    );
    if (step.expect.soft) {
      this.outcome.soft.push(...mismatches(observed, step.expect.soft, this.#variables));
    }
  }

  #capture({ capture = {} }: Step, answer: HttpView): void {
    for (const [name, from] of Object.entries(capture)) {
      const [kind, what = ''] = from.split(':');
      let value: string | undefined = answer.body;
      if (kind === 'header') value = answer.headers.get(what.toLowerCase());
      if (kind === 'member') value = JSON.parse(answer.body)[what];
      this.#variables.set(name, value ?? '');
    }
  }

  #check({ differ, ascending, contains }: NonNullable<Step['check']>): void {
    const [first = '', second = ''] = (differ ?? ascending ?? contains ?? []).map((name) =>
      // 05Z is before 05.1Z, although '.' is before 'Z'.
      (this.#variables.get(name) ?? '').replace(ascending ? 'Z' : '', ''),
    );
    const holds = contains
      ? second !== '' && first.includes(second)
      : differ
        ? first !== second
        : first < second;
    if (!holds || first === '') this.outcome.failures.push(`${first} and ${second}`);
  }

  /** The whole content of the account. */
  async #contents(): Promise<string> {
    const send: Send = { method: 'GET', target: '/Tables', headers: {} };
    const tables = await this.#sendOne(send, '/Tables');
    const contents = [tables.body];
    for (const { TableName } of JSON.parse(tables.body).value as { TableName: string }[]) {
      const table = { ...send, target: `/${TableName}()` };
      const pages = await this.#follow(table, await this.#sendOne(table, table.target));
      contents.push(...pages.map(({ body }) => body));
    }
    return contents.join('\n');
  }

  async #checkUnchanged(before: string): Promise<void> {
    if ((await this.#contents()) !== before) {
      this.outcome.failures.push('a request that failed changed something');
    }
  }

  #expand(text: string): string {
    return expand(text, this.#variables);
  }

  // Calls `work` for each combination of values. Without loops, it calls `work` once.
  async #repeat(loops: Loops = {}, work: () => void | Promise<void>): Promise<void> {
    const [loop, ...others] = Object.entries(loops);
    if (!loop) return work();
    const [name, [first, last]] = loop;
    for (let i = first; i <= last; i++) {
      this.#variables.set(name, `${i}`);
      await this.#repeat(Object.fromEntries(others), work);
    }
  }
}

// A batch of any status may have a part that failed.
function mayFail({ expect, send }: Step): boolean {
  if (send?.target === '/$batch') return true;
  const statuses = [expect?.status ?? 200].flat();
  return statuses.some((status) => typeof status === 'string' || status >= 400);
}
