/**
 * Damages a store, and shows what an app, `verify` and `repair` make of it.
 *
 * @module
 */

import type { TableServiceClient } from 'entitable';
import { exportAll } from 'entitable/archive';
import type { StorageKey } from 'entitable/storage/contract';

import { displayCount, displayMs } from '../display.js';
import { announce } from '../ui/announce.js';
import { byId, make, makeButton } from '../ui/dom.js';
import { saveLines } from '../ui/download.js';
import { errorContent } from '../ui/errors.js';
import { begin } from '../ui/notice.js';
import { findingList } from './finding-list.js';
import { admit, damage, examine, readAll, rescue, storedValues } from './patient.js';
import { ValueTiles } from './value-tiles.js';
import { VISITS } from './visits.js';

type Content = (Node | string)[];

export class DoctorPage {
  readonly #tiles = new ValueTiles((key) => this.#do(() => this.#damage(key)));
  readonly #results = byId('results', HTMLElement);
  readonly #tools = byId('tools', HTMLFieldSetElement);
  readonly #values = byId('values', HTMLElement);

  // What the last repair has brought back.
  #rescued: TableServiceClient | undefined;

  async start(): Promise<void> {
    const tools: [id: string, work: () => Promise<void>][] = [
      ['damage-page', () => this.#damageAnyPage()],
      ['read-all', () => this.#read()],
      ['verify', () => this.#verify()],
      ['repair', () => this.#repair()],
      ['renew', () => this.#renew()],
    ];
    for (const [id, work] of tools) {
      byId(id, HTMLButtonElement).addEventListener('click', () => this.#do(work));
    }
    this.#do(() => this.#renew());
  }

  // One thing at a time.
  #do(work: () => Promise<void>): void {
    if (this.#tools.ariaBusy === 'true') return;
    for (const part of [this.#tools, this.#values]) part.ariaBusy = 'true';
    begin(() =>
      work().finally(() => {
        for (const part of [this.#tools, this.#values]) part.ariaBusy = null;
      }),
    );
  }

  async #renew(): Promise<void> {
    await this.#discharge();
    await admit();
    this.#tiles.show(await storedValues());
    this.#results.replaceChildren();
    this.#report('A new store', [`It has ${displayCount(VISITS)} entities, and no fault.`]);
  }

  async #damageAnyPage(): Promise<void> {
    const pages = this.#tiles.intactPages;
    if (pages.length > 0) await this.#damage(pages[Math.floor(Math.random() * pages.length)]!);
  }

  async #damage(key: StorageKey): Promise<void> {
    await damage(key);
    this.#tiles.markDamaged(key);
    announce(`${key} is damaged now.`);
  }

  async #read(): Promise<void> {
    try {
      const count = await readAll();
      this.#report('Read everything', [`The app gets all ${displayCount(count)} entities.`]);
    } catch (error) {
      this.#report('Read everything', ['The app gets an error: ', ...errorContent(error)]);
    }
  }

  async #verify(): Promise<void> {
    const start = performance.now();
    const findings = await examine();
    const time = displayMs(performance.now() - start);
    if (findings.length === 0) this.#report('Verify', [`No fault, after ${time}.`]);
    else this.#report('Verify', [`Found in ${time}:`, findingList(findings)]);
  }

  async #repair(): Promise<void> {
    await this.#discharge();
    const { account, visits, findings } = await rescue();
    this.#rescued = account;
    const count = `${displayCount(visits)} of ${displayCount(VISITS)} entities can be read.`;
    const download = makeButton({}, () => this.#do(() => this.#save(account)), 'Download them');
    const faults = findings.length > 0 ? [findingList(findings)] : [];
    this.#report('Repair', [`${count} `, download, ...faults]);
  }

  async #save(account: TableServiceClient): Promise<void> {
    await saveLines(exportAll(account), 'visits.jsonl');
    announce('The browser has the entities as a file now.');
  }

  // The repaired storage reads from the damaged store, so it must not be used after that changes.
  async #discharge(): Promise<void> {
    const account = this.#rescued;
    this.#rescued = undefined;
    for (const button of this.#results.querySelectorAll('button')) button.disabled = true;
    await account?.close();
  }

  #report(what: string, content: Content): void {
    const text = make('div', {}, ...content);
    this.#results.prepend(make('li', {}, make('h3', {}, what), text));
    announce(`${what}. ${text.textContent}`);
  }
}
