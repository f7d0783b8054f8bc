/**
 * Shows a conflict with its three values, and lets the user resolve it.
 *
 * @module
 */

import type { ConflictResolver, SyncConflict, SyncedEntity } from 'entitable/sync';

import { announce } from '../ui/announce.js';
import { byId, make, makeButton } from '../ui/dom.js';

type Choose = (result: SyncedEntity | null) => void;

export class ConflictPanel {
  readonly #panel = byId('conflict', HTMLElement);
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves the conflicts of a device, one after another. */
  resolverOf(device: string): ConflictResolver {
    return (conflict) => {
      const resolved = this.#last.then(() => this.#ask(device, conflict));
      this.#last = resolved;
      return resolved;
    };
  }

  async #ask(device: string, conflict: SyncConflict): Promise<SyncedEntity | null> {
    const { base, local, remote } = conflict;
    const result = await new Promise<SyncedEntity | null>((choose) => {
      byId('conflict-where', HTMLElement).textContent =
        `The ${device.toLowerCase()} has found it, and asks you. Nothing is lost until you choose.`;
      byId('sides', HTMLElement).replaceChildren(
        side('What both had', base),
        side(
          `The ${device.toLowerCase()} has`,
          local,
          choose,
          `Keep the ${device.toLowerCase()}’s`,
        ),
        side('The cloud has', remote, choose, 'Take the cloud’s'),
      );
      this.#panel.hidden = false;
      byId('conflict-title', HTMLElement).focus();
    });
    this.#panel.hidden = true;
    announce('The conflict is resolved.');
    return result;
  }
}

function side(title: string, entity: SyncedEntity | undefined, choose?: Choose, label = '') {
  const text = entity ? `${String(entity['text'])}${entity['done'] ? ' (done)' : ''}` : 'Deleted';
  const pick = () => choose?.(entity ?? null);
  return make(
    'div',
    { class: 'side' },
    ...[make('h3', {}, title), make('p', {}, text)],
    ...(choose ? [makeButton({}, pick, label)] : []),
  );
}
