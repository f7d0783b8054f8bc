/**
 * A device: an account of its own, which syncs with the cloud while it is online.
 *
 * @module
 */

import { memoryStorage } from 'entitable/storage/memory';
import {
  openAccount,
  type AccountSync,
  type ConflictResolver,
  type TableClient,
} from 'entitable/sync';

import { make, makeButton } from '../ui/dom.js';
import { begin } from '../ui/notice.js';
import type { Cloud } from './cloud.js';
import { PARTITION, TABLE, type Todo } from './todo.js';

const STATES: Readonly<Record<string, string>> = {
  idle: 'Everything is in the cloud.',
  syncing: 'Syncing…',
  offline: 'No network: tries again.',
  paused: 'Sync is paused.',
  waiting: 'Waiting…',
  stopped: 'Offline.',
  settling: 'In sync, once a late request can no longer arrive.',
};

export class Device {
  readonly name: string;
  readonly todos: TableClient<Todo>;
  readonly #sync: AccountSync;
  readonly #list = make('ul', { class: 'todos' });
  readonly #state = make('p', { role: 'status' });
  readonly #online = make('input', { type: 'checkbox', checked: true });
  readonly card: HTMLElement;
  #stored: readonly Todo[] = [];
  #waiting = new Set<string>();

  private constructor(name: string, todos: TableClient<Todo>, sync: AccountSync) {
    this.name = name;
    this.todos = todos;
    this.#sync = sync;
    this.#online.addEventListener('change', () => begin(() => this.#turn()));
    const id = `${name.toLowerCase()}-title`;
    this.card = make(
      'section',
      { class: 'card device', 'aria-labelledby': id },
      make(
        'div',
        { class: 'card-head' },
        make('h2', { id }, name),
        make('label', { class: 'online' }, this.#online, 'Online'),
        this.#state,
      ),
      this.#list,
      this.#form(),
    );
  }

  static async open(name: string, cloud: Cloud, conflict: ConflictResolver): Promise<Device> {
    const account = await openAccount({
      storage: memoryStorage(),
      sync: {
        remote: { url: cloud.url, fetch: cloud.send as never },
        tables: { [TABLE]: { partitions: [PARTITION], conflict } },
        interval: 2000,
      },
    });
    await account.createTable(TABLE);
    return new Device(name, account.tableClient<Todo>(TABLE), account.sync);
  }

  /** Syncs, and shows every change, as long as the page is there. */
  async follow(): Promise<void> {
    this.#sync.subscribe(({ state, pending, error }) => {
      const isWaiting = state === 'stopped' && pending > 0;
      const text = isWaiting ? `Offline, ${pending} to send.` : STATES[state]!;
      this.#state.textContent = state === 'paused' ? `${text} ${error?.message}` : text;
      begin(() => this.#mark());
    });
    this.#sync.start();
    for await (const stored of this.todos.liveEntities()) {
      this.#stored = stored;
      await this.#mark();
    }
  }

  /** Waits until all is in the cloud. */
  async settled(): Promise<void> {
    await this.#sync.once();
  }

  async goOnline(isOnline: boolean): Promise<void> {
    this.#online.checked = isOnline;
    await this.#turn();
  }

  async #turn(): Promise<void> {
    if (this.#online.checked) this.#sync.start();
    else await this.#sync.stop();
  }

  // Shows which entities wait to be sent.
  async #mark(): Promise<void> {
    const pending = await this.#sync.pending(TABLE);
    this.#waiting = new Set(pending.map(({ rowKey }) => rowKey));
    this.#show();
  }

  #show(): void {
    // What the user is typing stays.
    if (this.#list.contains(document.activeElement) && isText(document.activeElement)) return;
    this.#list.replaceChildren(...this.#stored.map((todo) => this.#itemOf(todo)));
  }

  #itemOf(todo: Todo): HTMLElement {
    const { partitionKey, rowKey, text, done } = todo;
    const key = { partitionKey, rowKey };
    const box = make('input', { type: 'checkbox', checked: done, 'aria-label': `${text}: done` });
    box.addEventListener('change', () => this.#update({ ...key, done: box.checked }));
    const field = make('input', { type: 'text', value: text, 'aria-label': 'Text' });
    field.addEventListener('change', () => this.#update({ ...key, text: field.value }));
    field.addEventListener('blur', () => this.#show());
    const remove = () =>
      begin(async () => void (await this.todos.deleteEntity(partitionKey, rowKey)));
    const label = { class: 'quiet danger', 'aria-label': `Delete ${text}` };
    return make(
      'li',
      {},
      ...[box, field, makeButton(label, remove, 'Delete')],
      ...(this.#waiting.has(rowKey)
        ? [make('span', { class: 'waiting' }, 'Waits to be sent')]
        : []),
    );
  }

  #update(change: Partial<Todo> & Pick<Todo, 'partitionKey' | 'rowKey'>): void {
    begin(async () => void (await this.todos.updateEntity(change, 'Merge')));
  }

  #form(): HTMLElement {
    const field = make('input', {
      type: 'text',
      'aria-label': `New on ${this.name}`,
      placeholder: 'Something to do',
      required: true,
    });
    const add = make('button', { type: 'submit' }, 'Add');
    const form = make('form', { class: 'add' }, field, add);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = field.value;
      field.value = '';
      const rowKey = crypto.randomUUID();
      const todo = { partitionKey: PARTITION, rowKey, text, done: false };
      begin(async () => void (await this.todos.createEntity(todo)));
    });
    return form;
  }
}

const isText = (element: Element | null) =>
  element instanceof HTMLInputElement && element.type === 'text';
