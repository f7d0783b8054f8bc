/**
 * The explorer of an account behind the REST API: asks for the account, and connects.
 *
 * @module
 */

import { TableError, type TableServiceClient } from 'entitable';
import { remoteAccount, type RemoteAccount, type RemoteAccountOptions } from 'entitable/remote';

import { App } from '../app.js';
import { Address } from '../explorer/address.js';
import type { Home, Write } from '../explorer/home.js';
import type { ViewState } from '../explorer/view-state.js';
import { showAccess, showNoLimits } from '../ui/access.js';
import { byId, onClick } from '../ui/dom.js';
import { begin } from '../ui/notice.js';
import type { View } from '../ui/views.js';
import { ConnectForm, type Connection } from './connect-form.js';
import { whyNotBy } from './permissions.js';

export class RemotePage implements Home {
  readonly samples = [];
  readonly #app = new App(this);
  readonly #address = new Address((view) => {
    if (view && this.#account) begin(() => this.#app.openView(view));
  });
  readonly #form: ConnectForm;
  #account: TableServiceClient | undefined;
  #refusal: (write: Write) => string | undefined = () => undefined;

  /** @param url - the address that the form begins with. */
  constructor(url = '') {
    this.#form = new ConnectForm(url, (connection) => this.#connect(connection));
    // The page forgets the signature only with its memory.
    onClick('disconnect', () => location.reload());
    byId('opening', HTMLElement).hidden = true;
  }

  /** Opens an account, and shows it. */
  open(options: RemoteAccountOptions): void {
    const { sas } = options;
    const table = typeof sas === 'string' ? tableOf(sas) : undefined;
    this.#refusal = (write) => (typeof sas === 'string' ? whyNotBy(sas, write) : undefined);
    const account = remoteAccount(options);
    // It has the methods that the explorer uses; `isLocal` tells where the others would be.
    this.#account = (table === undefined
      ? account
      : withOneTable(account, table)) as unknown as TableServiceClient;
    byId('connected-to', HTMLElement).textContent = shownAddress(`${options.url as string}`);
    this.#form.isBusy = true;
    showNoLimits();
    begin(() => this.#app.start());
  }

  openAccount(): Promise<TableServiceClient> {
    return Promise.resolve(this.#account!);
  }

  firstTable(names: readonly string[]): string | undefined {
    return names[0];
  }

  firstView(names: readonly string[]): ViewState | undefined {
    const { view } = this.#address;
    return view && names.includes(view.table) ? view : undefined;
  }

  onState(view: ViewState | undefined): void {
    this.#address.write(view);
  }

  onView(view: View): void {
    showAccess((write) => this.whyNot(write));
    this.#form.isBusy = false;
    const isConnected = view === 'workspace' || view === 'welcome';
    this.#form.isHidden = isConnected;
    byId('connected', HTMLElement).hidden = !isConnected;
  }

  whyNot(write: Write): string | undefined {
    return this.#refusal(write);
  }

  remedy(error: unknown): string {
    return remedyOf(error);
  }

  #connect({ url, sas }: Connection): void {
    try {
      if (!sas) throw new Error('The shared access signature is missing.');
      this.open({ url, sas });
    } catch (error) {
      this.#form.showError(error);
    }
  }
}

// The signature for one table names it, and may not list the tables.
function tableOf(sas: string): string | undefined {
  return new URLSearchParams(sas.replace(/^\?/, '')).get('tn') ?? undefined;
}

function withOneTable(account: RemoteAccount, name: string): object {
  return {
    async *listTables() {
      yield await Promise.resolve({ name });
    },
    createTable: (table: string) => account.createTable(table),
    tableClient: (table: string) => account.tableClient(table),
  };
}

function shownAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname.replace(/\/$/, '')}`;
}

function remedyOf(error: unknown): string {
  const { code, statusCode } = error instanceof TableError ? error : {};
  if (code === 'StorageUnavailable') {
    return (
      'Check the address and the network. A browser says the same if the account has no CORS ' +
      `for ${location.origin}: its rule must allow GET, POST, PUT and DELETE with all headers.`
    );
  }
  if (statusCode === 403 || statusCode === 401) {
    return (
      'The signature is wrong, has expired, or has no permission to list the tables. It needs the ' +
      'service t, the resource types sco, and the permission l; r lets you read.'
    );
  }
  return 'Check the address and the signature, and connect again.';
}
