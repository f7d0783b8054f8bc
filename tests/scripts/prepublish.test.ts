import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { checkComplete } from '../../scripts/prepublish.mjs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
const complete = {
  homepage: 'https://example.com',
  bugs: 'https://example.com/bugs',
  repository: { type: 'git', url: 'git+https://example.com/entitable.git' },
  author: 'Somebody',
};
const FAULT = 'package.json does not say who publishes it: ';
const problemOf = (given: Record<string, unknown>) => () => checkComplete(given);

describe('before it is published', () => {
  it.each(Object.keys(complete))('package.json without %s is refused by name', (name) => {
    expect(problemOf({ ...complete, [name]: undefined })).toThrow(FAULT + name);
  });

  it('an address that nobody has filled in is refused by name', () => {
    const url = 'git+https://github.com/FILL-IN-OWNER/entitable.git';

    expect(problemOf({ ...complete, repository: { type: 'git', url } })).toThrow(
      `${FAULT}repository`,
    );
  });

  it('names everything that package.json does not have', () => {
    expect(problemOf({})).toThrow(`${FAULT}homepage, bugs, repository, author`);
  });

  it('package.json that has it all passes', () => {
    expect(problemOf(complete)).not.toThrow();
  });

  it('npm runs the check, which ends with an error and says what to do', () => {
    const [program, ...args] = (manifest['scripts'] as Record<string, string>)[
      'prepublishOnly'
    ]!.split(' ');
    // Complete, it would go on to build.
    if (!JSON.stringify(manifest).includes('FILL-IN-')) return;

    const { status, stderr } = spawnSync(program!, args, { encoding: 'utf8' });

    expect(status).toBe(1);
    expect(stderr).toContain(FAULT);
    expect(stderr).toContain('write your name and addresses where it has FILL-IN-OWNER');
  });

  it('the second package is checked, too, by its own command', () => {
    const second = JSON.parse(readFileSync('create-entitable/package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };

    expect(second.scripts['prepublishOnly']).toBe('node ../scripts/prepublish.mjs');
    expect(() => checkComplete({ ...second, author: '' }, 'create-entitable/package.json')).toThrow(
      'create-entitable/package.json does not say who publishes it: ',
    );
  });

  it('nothing else of the project waits for an address', () => {
    const { stdout } = spawnSync('git', ['grep', '-l', 'FILL-IN-'], { encoding: 'utf8' });
    const known = [
      'CONTRIBUTING.md',
      'create-entitable/package.json',
      'package.json',
      'scripts/prepublish.mjs',
    ];

    expect(stdout.trim().split('\n')).toContain('scripts/prepublish.mjs');
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((file) => !known.includes(file) && !file.startsWith('tests/')),
    ).toEqual([]);
  });
});
