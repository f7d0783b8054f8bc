import { argumentsBeforeAwait } from '../../../scripts/lint/arguments-before-await.mjs';
import { runRule } from './rule-tester.js';

/** A function with a parameter of each kind, and that body. */
const body = (text: string) => `
  interface AbortSignal { readonly aborted: boolean }
  interface Options { readonly top?: number; readonly inner: { names: string[] } }
  class Session { request(): Promise<void> { return Promise.resolve(); } items = [1]; }
  declare function wait(...values: unknown[]): Promise<void>;
  declare function use(...values: unknown[]): number[];
  export async function run(
    options: Options, rows: string[], bytes: Uint8Array, time: Date, entity: object,
    text: string, done: (n: number) => void, session: Session, signal: AbortSignal,
    handle: { size: number; close(): void } & Named, methods: { close(): void },
  ): Promise<unknown> { ${text} }
  interface Named { readonly name: string }
`;

const late = (name: string) => `change ${name} before this reads`;
const inner = (name: string) => `change ${name} before this function`;

runRule('arguments-before-await', argumentsBeforeAwait, {
  options: [{ handles: ['Handle'] }],
  valid: {
    'reads before the await': body('const { top } = options; await wait(rows[0]); return top;'),
    'reads in what is awaited': body('await wait(use(options, rows, bytes)); return 1;'),
    'keeps a copy': body('const own = [...rows]; await wait(); return own;'),
    'keeps what a function made of it': body('const n = use(rows); await wait(); return n;'),
    'reads what does not change': body('await wait(); done(text.length); return text;'),
    'uses a signal and an object of a class': body(
      'await wait(); if (signal.aborted) return session.items; await session.request();',
    ),
    'uses an object that has but methods': body('await wait(); methods.close();'),
    'reads in the branch that does not wait': body(
      'if (text) { await wait(); return 1; } return options.top;',
    ),
    'reads before a loop that waits': body('for (const n of use(rows)) { await wait(n); }'),
    'goes along a copy': body('for (const row of [...rows]) await wait(row);'),
    'loops before it waits': body('for (const row of rows) use(row); await wait();'),
    'reads in a function that is called at once': body(
      'const n = rows.map((row) => row + options.top); await wait(); return n;',
    ),
    'reads in the beginning of a promise': body(
      'await new Promise<void>((resolve) => { use(options); resolve(); });',
    ),
    'forgets the argument': body('await wait(); rows = []; return 1;'),
    'is only called in this file': 'async function own(rows: string[]) { await 1; return rows; }',
    'is private': `export class Client {
      async #read(rows: string[]) { await 1; return rows; }
      private async look(rows: string[]) { await 1; return this.#read([...rows]); }
    }`,
    'has a type of the option': `interface Handle { size: number }
      export async function close(handle: Handle) { await 1; handle.size = 0; }`,
    'gives a promise, and reads before': `declare function wait(value: number): Promise<void>;
      export function keep(rows: string[]) { const { length } = rows;
        return wait(length).then(() => length); }`,
    'gives a promise, and reads in its beginning': `
      export const keep = (rows: string[]) => new Promise((resolve) => resolve(rows.length));`,
    'gives a promise, and reads in a function that may be called now': `
      declare function each(call: () => number): Promise<void>;
      export function run(rows: string[]) { return each(() => rows.length); }`,
    'gives no promise': 'export function keep(rows: string[]) { return () => rows; }',
  },
  invalid: {
    'reads after the await': {
      code: body('await wait(); return use(options.top, rows, bytes, time, entity);'),
      found: ['options', 'rows', 'bytes', 'time', 'entity'].map(late),
    },
    'reads an object with more than methods': {
      code: body('await wait(); handle.close();'),
      found: [late('handle')],
    },
    'reads a part that it kept': {
      code: body('const { inner } = options; await wait(); return inner.names;'),
      found: [late('inner')],
    },
    'reads a part of a part': {
      code: body('const names = options.inner.names; await wait(); return names[0];'),
      found: [late('names')],
    },
    'reads in a branch behind': {
      code: body('if (text) { await wait(); } return options.top;'),
      found: [late('options')],
    },
    'reads when what it waited for failed': {
      code: body('try { await wait(); } catch (error) { throw use(error, rows); }'),
      found: [late('rows')],
    },
    'waits in a loop, and reads in the next turn': {
      code: body('for (let i = 0; i < 3; i++) { use(rows[i]); await wait(); }'),
      found: [late('rows')],
    },
    'waits while it goes along the array': {
      code: body('for (const row of rows) await wait(row);'),
      found: [late('rows')],
    },
    'waits by the loop': {
      code: body('for await (const one of use(rows)) done(one + rows.length);'),
      found: [late('rows')],
    },
    'reads in a function that runs later': {
      code: body('const later = () => options.top; await wait(); return later();'),
      found: [inner('options')],
    },
    'reads in the rest of a promise': {
      code: body('return wait().then(() => rows.length);'),
      found: [inner('rows')],
    },
    'is a method': {
      code: `export class Client {
        async read<T extends object>(entity: T) { await 1; return entity; }
        write = async ({ list }: { list: number[] }) => { await 1; return list; };
      }`,
      found: [late('entity'), late('list')],
    },
    'is kept in a variable': {
      code: 'export const run = async (rows: readonly string[]) => { await 1; return rows; };',
      found: [late('rows')],
    },
    'gives a promise, and reads in what comes then': {
      code: `declare function wait(): Promise<void>;
        export function read(rows: string[]): Promise<number> {
          return wait().then(() => rows.length);
        }`,
      found: [inner('rows')],
    },
    'gives a promise at times': {
      code: `export class Client {
        read(rows: string[], isNow: boolean): number | Promise<number> {
          return isNow ? 1 : Promise.resolve().then(() => rows.length);
        }
      }`,
      found: [inner('rows')],
    },
    'is a generator, which begins later': {
      code: 'export async function* run(rows: string[]) { yield rows.length; }',
      found: [late('rows')],
    },
  },
});
