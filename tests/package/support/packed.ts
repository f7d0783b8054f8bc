// packed.ts - the package as npm packs it (scripts/pack.mjs), outside of this work tree.

import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve('build/packed');

interface Packed {
  /** The path of the tarball. */
  readonly tarball: string;
  /** The names in it. */
  readonly files: string[];
}

/** What npm has packed. */
export function packed(): Packed {
  const { tarball, files } = JSON.parse(readFileSync(join(FOLDER, 'files.json'), 'utf8')) as Packed;
  return { tarball: join(FOLDER, tarball), files };
}

/**
 * Puts the packed package where `npm install` would, below the folder of an app. Several test files
 * may do so at once.
 */
export function installInto(app: string): void {
  const place = join(app, 'node_modules/entitable');
  // Of what build the package is there.
  const stamp = join(place, '.stamp');
  const build = readFileSync('build/stamps/packed', 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === build) return;

  const fresh = `${place}-${randomUUID()}`;
  cpSync(join(FOLDER, 'package'), fresh, { recursive: true });
  writeFileSync(join(fresh, '.stamp'), build);
  rmSync(place, { recursive: true, force: true });
  try {
    renameSync(fresh, place);
  } catch (error) {
    // Another file was faster.
    if (!existsSync(stamp)) throw error;
    rmSync(fresh, { recursive: true });
  }
}
