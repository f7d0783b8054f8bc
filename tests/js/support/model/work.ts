// work.ts - a life of a store: random work of accounts that come, go and die.

import { expect } from 'vitest';

import { randomNumbers } from '../random-numbers.js';
import { IndexBuilds } from './index-steps.js';
import { LiveViews } from './live-steps.js';
import { FATES, type Place } from './openers.js';
import { read, randomQuery } from './read-steps.js';
import type { Below } from './values.js';
import { TABLES, World } from './world.js';
import { changeAll, changeTables, ended, importSome, write } from './write-steps.js';

const STEPS = 80;

/** Works on an empty store, which is destroyed. */
async function workAtRandom(below: Below, place: Place): Promise<void> {
  const world = new World(below, place);
  const lives = new LiveViews();
  const builds = new IndexBuilds();
  world.onClose = async (opener) => {
    lives.end(opener);
    await builds.ended();
  };
  await world.open();
  for (const name of TABLES) {
    await world.openers[0]!.account.createTable(name);
    world.model.createTable(name);
  }
  for (let step = 0; step < STEPS; step++) await takeStep(world, lives, builds);

  await lives.settle(world);
  for (const opener of [...world.openers]) {
    await world.check(opener);
    await world.close(opener);
  }
  await world.open();
  await world.check();
  await world.close(world.openers[0]!);
  if (place.verify) expect(await place.verify()).toEqual([]);
  await place.destroy();
}

async function takeStep(world: World, lives: LiveViews, builds: IndexBuilds): Promise<void> {
  if (world.place.move) return await takeRemoteStep(world);
  const kind = world.below(40);
  if (kind < 13) return await write(world);
  if (kind < 28) return await read(world);
  if (kind < 30) return await importSome(world);
  if (kind === 30) return await changeAll(world, randomQuery(world, world.of(TABLES)));
  if (kind === 31) {
    const before = [...world.model.tables.keys()];
    await changeTables(world);
    for (const name of before) if (!world.model.tables.has(name)) lives.deleted(name);
    return;
  }
  if (kind === 32) return await builds.begin(world);
  if (kind === 33) return lives.follow(world);
  if (kind === 34) return await lives.settle(world);
  if (kind === 35) return await world.check();
  if (kind === 36) return await rest(world);
  if (kind === 37 && world.openers.length > 1) return await world.close(world.of(world.openers));
  await world.open();
}

// What the service has, too.
async function takeRemoteStep(world: World): Promise<void> {
  const kind = world.below(20);
  if (kind < 7) await write(world);
  else if (kind < 14) await read(world);
  else if (kind === 14) await (world.below(2) ? world.check() : world.open());
  else if (kind > 15) await move(world);
  // A table cannot be deleted while entities are on their way.
  else if (!world.isMoving) await changeTables(world);
  if (world.isMoving) world.model.forget();
}

async function move(world: World): Promise<void> {
  const moved = await world.place.move!(world.below(4));
  world.isMoving = moved === 'moving';
  if (moved !== 'kept') world.model.forget();
}

// Lets the only opener put into pages what it has stored. It may die of that.
async function rest(world: World): Promise<void> {
  const opener = world.of(world.openers);
  if (!opener.mortal) return;
  for (const other of world.openers.filter((one) => one !== opener)) await world.close(other);
  const name = `Rest${world.model.tables.size}`;
  await opener.account.createTable(name);
  world.model.createTable(name);
  opener.mortal.meet(world.below(2) === 0 ? world.of(FATES) : undefined);
  await opener.mortal.flushed();
  await ended(world, [opener]);
}

/** Lives of stores of one kind, from the first seed on. An error has the seed of its life. */
export async function liveAtRandom(
  first: number,
  rounds: number,
  open: () => Place | Promise<Place>,
): Promise<void> {
  for (let seed = first; seed < first + rounds; seed++) {
    await workAtRandom(randomNumbers(seed), await open()).catch((error: Error) => {
      error.message = `ENTITABLE_SEED=${seed}: ${error.message}`;
      throw error;
    });
  }
}
