// packed.ts - the package as npm packs it, outside of this work tree.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Packs the package into `folder`, and returns the path of the tarball and the names in it. */
export function pack(folder: string): { tarball: string; files: string[] } {
  // `npm test` has built the package.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const answer = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [packed] = Object.values(
    JSON.parse(answer) as { filename: string; files: { path: string }[] }[],
  );
  return {
    tarball: join(folder, packed!.filename),
    files: packed!.files.map(({ path }) => path),
  };
}

/** Puts the packed package where `npm install` would, below the folder of an app. */
export function installInto(app: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'entitable-pack-'));
  try {
    execFileSync('tar', ['-xf', pack(folder).tarball, '-C', folder]);
    const place = join(app, 'node_modules/entitable');
    rmSync(place, { recursive: true, force: true });
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(folder, 'package'), place, { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
