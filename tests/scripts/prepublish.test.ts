import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { checkComplete } from '../../scripts/prepublish.mjs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
const complete = {
  repository: 'somebody/entitable',
  homepage: 'https://example.com',
  bugs: 'https://example.com/bugs',
  author: 'Somebody',
};

describe('before it is published', () => {
  it.each(Object.keys(complete))('package.json without %s is refused by name', (name) => {
    expect(() => checkComplete({ ...complete, [name]: undefined })).toThrow(
      `package.json has no ${name}`,
    );
  });

  it('names all members that package.json does not have', () => {
    expect(() => checkComplete({})).toThrow(
      'package.json has no repository, no homepage, no bugs, no author',
    );
  });

  it('package.json that has them all passes', () => {
    expect(() => checkComplete(complete)).not.toThrow();
  });

  it('npm runs the check, which ends with an error while something is missing', () => {
    const [program, ...args] = (manifest['scripts'] as Record<string, string>)[
      'prepublishOnly'
    ]!.split(' ');
    const isComplete = Object.keys(complete).every((name) => manifest[name]);
    // Complete, it would go on to build.
    if (isComplete) return;

    const { status, stderr } = spawnSync(program!, args, { encoding: 'utf8' });

    expect(status).toBe(1);
    expect(stderr).toContain('package.json has no ');
  });
});
