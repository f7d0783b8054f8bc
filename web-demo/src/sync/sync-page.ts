/**
 * Two devices and the cloud, side by side.
 *
 * @module
 */

import { announce } from '../ui/announce.js';
import { byId } from '../ui/dom.js';
import { begin } from '../ui/notice.js';
import { Cloud } from './cloud.js';
import { ConflictPanel } from './conflict-panel.js';
import { Device } from './device.js';
import { FIRST_TODOS } from './todo.js';

export class SyncPage {
  async start(): Promise<void> {
    const cloud = await Cloud.open();
    const panel = new ConflictPanel();
    const [phone, laptop] = await Promise.all(
      (['Phone', 'Laptop'] as const).map((name) =>
        Device.open(name, cloud, panel.resolverOf(name)),
      ),
    );
    byId('devices', HTMLElement).append(phone!.card, cloud.card, laptop!.card);
    begin(() => cloud.follow());
    begin(() => phone!.follow());
    begin(() => laptop!.follow());
    byId('make-conflict', HTMLButtonElement).addEventListener('click', () =>
      begin(() => makeConflict(phone!, laptop!)),
    );
  }
}

// Both change the text of one entity while they are offline.
async function makeConflict(phone: Device, laptop: Device): Promise<void> {
  const button = byId('make-conflict', HTMLButtonElement);
  button.disabled = true;
  try {
    const [{ partitionKey, rowKey }] = FIRST_TODOS as [(typeof FIRST_TODOS)[0]];
    await phone.settled();
    await laptop.settled();
    for (const device of [phone, laptop]) await device.goOnline(false);
    const write = (device: Device, text: string) =>
      device.todos.upsertEntity({ partitionKey, rowKey, text }, 'Merge');
    await write(phone, 'Buy oat milk');
    await write(laptop, 'Buy two litres of milk');
    announce('Both devices were offline, and changed the same entity.');
    await phone.goOnline(true);
    await phone.settled();
    await laptop.goOnline(true);
  } finally {
    button.disabled = false;
  }
}
