/**
 * The storage account of this page: an account in memory behind the REST API. The devices reach it
 * by requests, as they would reach one in the cloud.
 *
 * @module
 */

import { openAccount, type TableServiceClient } from 'entitable';
import { createTableHandler, DEVELOPMENT_ACCOUNT } from 'entitable/http';
import { memoryStorage } from 'entitable/storage/memory';

import { byId, make } from '../ui/dom.js';
import { FIRST_TODOS, TABLE, type Todo } from './todo.js';

/** How a device sends a request. */
export type Send = (url: string, request: RequestInit) => Promise<Response>;

export class Cloud {
  readonly url = DEVELOPMENT_ACCOUNT.baseUrl;
  readonly #account: TableServiceClient;
  readonly #handle: (request: Request) => Promise<Response>;
  readonly #list = make('ul', { class: 'todos' });
  readonly #counter = make('p', { class: 'requests' });
  readonly card = make(
    'section',
    { class: 'card device cloud', 'aria-labelledby': 'cloud-title' },
    make('div', { class: 'card-head' }, make('h2', { id: 'cloud-title' }, 'Cloud'), this.#hint()),
    this.#list,
    this.#counter,
  );
  #requests = 0;
  #lost = 0;

  private constructor(account: TableServiceClient) {
    this.#account = account;
    this.#handle = createTableHandler(account, { authentication: 'anonymous' });
    this.#count();
  }

  static async open(): Promise<Cloud> {
    const account = await openAccount({ storage: memoryStorage() });
    await account.createTable(TABLE);
    for (const todo of FIRST_TODOS) await account.tableClient<Todo>(TABLE).createEntity(todo);
    return new Cloud(account);
  }

  /** Shows every change, as long as the page is there. */
  async follow(): Promise<void> {
    const todos = this.#account.tableClient<Todo>(TABLE);
    for await (const stored of todos.liveEntities()) {
      const items = stored.map(({ text, done }) =>
        make('li', {}, '', make('span', { class: done ? 'is-done' : '' }, text)),
      );
      this.#list.replaceChildren(...items);
    }
  }

  /** Answers a request of a device, after a time, and not always. */
  readonly send: Send = async (url, request) => {
    this.#requests++;
    this.#count();
    const ms = Number(byId('latency', HTMLSelectElement).value);
    await new Promise((resolve) => setTimeout(resolve, ms));
    const answer = await this.#handle(new Request(url, request));
    if (byId('faults', HTMLInputElement).checked && this.#requests % 3 === 0) {
      this.#lost++;
      this.#count();
      throw new TypeError('The answer was lost.');
    }
    return answer;
  };

  #hint(): HTMLElement {
    return make('p', {}, 'A storage account. It runs nothing of ours.');
  }

  #count(): void {
    const lost = this.#lost > 0 ? `, ${this.#lost} answers lost` : '';
    this.#counter.textContent = `${this.#requests} requests${lost}`;
  }
}
