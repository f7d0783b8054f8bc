// Files, links, codes and numbers in the documents.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ERROR_CODES } from '../../js/src/base/error-codes.js';
import { usageOf } from '../../js/src/commands/line/usage.js';
import { SERVE } from '../../js/src/commands/serve/serve-usage.js';
import { PAGES } from '../../scripts/lib/documents.mjs';

const EXAMPLES = readdirSync('examples', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `examples/${name}/README.md`);
const ALL = [
  ...PAGES,
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'create-entitable/README.md',
  ...EXAMPLES,
  'tests/README.md',
  'tests/conformance/README.md',
  'tests/fixtures/README.md',
];

const textOf = (page: string) => readFileSync(page, 'utf8');
const withoutCode = (text: string) =>
  text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

/** The places in a page that a link can name. */
function anchorsIn(page: string): string[] {
  const text = textOf(page).replace(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Links of a page to other files of the work tree, or to places in it. */
function linksIn(page: string): { page: string; link: string }[] {
  return [...withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => ({ page, link }))
    .filter(({ link }) => !/^[a-z]+:/.test(link));
}

function isDead({ page, link }: { page: string; link: string }): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path ? join(dirname(page), path) : page;
  return !existsSync(target) || (anchor !== undefined && !anchorsIn(target).includes(anchor));
}

describe('the documents', () => {
  it('have no dead links', () => {
    const links = ALL.flatMap(linksIn);

    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(isDead)).toEqual([]);
  });

  it('link from docs/ only to pages of docs/, which the site has', () => {
    const outside = ALL.filter((page) => page.startsWith('docs/'))
      .flatMap(linksIn)
      .filter(({ page, link }) => !join(dirname(page), link).startsWith('docs/'))
      .filter(({ link }) => !link.endsWith('ARCHITECTURE.md'));

    expect(outside).toEqual([]);
  });

  it('are all reached from the start page', () => {
    const seen = new Set(['docs/index.md']);
    for (const page of seen) {
      for (const { link } of linksIn(page)) {
        const [path = ''] = link.split('#');
        if (path.endsWith('.md')) seen.add(join(dirname(page), path));
      }
    }

    expect(PAGES.filter((page) => page !== 'README.md' && !seen.has(page))).toEqual([]);
  });

  it('name files that exist', () => {
    const isPath =
      /`((?:bench|bindings|core|docs|examples|js|playground|scripts|tests|web-demo)\/[\w./-]*)`/g;
    // The documents of the internals name sources of the core by their folders.
    const isSource = /`((?:base|model|wire|query|store|engine|protocol|verify)\/[\w.]+)`/g;
    const named = ALL.filter((page) => page !== 'CHANGELOG.md' && !EXAMPLES.includes(page)).flatMap(
      (page) => [
        ...[...textOf(page).matchAll(isPath)].map(([, path = '']) => ({ page, path })),
        ...[...textOf(page).matchAll(isSource)].map(([, path]) => ({
          page,
          path: `core/src/${path}`,
        })),
      ],
    );

    expect(named.length).toBeGreaterThan(50);
    expect(
      named.filter(({ path }) => ![path, `${path}.h`, `${path}.ts`].some((one) => existsSync(one))),
    ).toEqual([]);
  });

  it('of an example name files that it has', () => {
    const named = EXAMPLES.flatMap((page) =>
      [...textOf(page).matchAll(/`([\w-]+(?:\/[\w.-]+)+|[\w-]+(?:\.[\w-]+)*\.\w+)`/g)].map(
        ([, path = '']) => join(dirname(page), path),
      ),
    );

    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('wrap their lines at 100 columns, but for tables', () => {
    const long = ALL.flatMap((page) =>
      textOf(page)
        .split('\n')
        .filter((line) => [...line].length > 100 && !line.startsWith('|'))
        .map((line) => `${page}: ${line}`),
    );

    expect(long).toEqual([]);
  });
});

describe('the README', () => {
  // It is the page on npm, where nobody can open a path that is only named.
  it('is short, and links to every page that it names', () => {
    const text = textOf('README.md');
    expect(text.split('\n').length).toBeLessThanOrEqual(120);

    const named = [...text.matchAll(/docs\/[\w/-]*[\w.]*/g)].map(([page]) => page);
    const linked = linksIn('README.md').map(({ link }) => link);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((page) => !linked.includes(page))).toEqual([]);
  });
});

describe.each(['README.md', 'docs/why.md'])('%s', (page) => {
  it('shows measurements that the page on benchmarks has, too', () => {
    const measured = textOf('docs/concepts/benchmarks.md');
    const rows = [...textOf(page).matchAll(/^\| ([^|]+) \|((?: [\d.,]+ \|)+)$/gm)];

    expect(rows.length).toBeGreaterThan(3);
    for (const [row, name = '', cells = ''] of rows) {
      const numbers = cells.match(/[\d.,]+(?= \|)/g)!;
      const theirs = measured.split('\n').filter((line) => line.startsWith(`| ${name} |`));
      const isThere = theirs.some((line) =>
        numbers.every((number) => line.includes(` ${number} `)),
      );
      expect({ row, isThere }).toEqual({ row, isThere: true });
    }
  });
});

describe('CONTRIBUTING', () => {
  it('lists the packages of the system that the tests install', () => {
    const source = textOf('scripts/test/system.mjs');
    const [, table = ''] = /IS_PRESENT = \{(.*?)\n\};/s.exec(source) ?? [];
    const known = [...table.matchAll(/^ {2}'?([\w+-]+)'?: /gm)].map(([, name = '']) => name);
    const listed = [...textOf('CONTRIBUTING.md').matchAll(/^\| (.*) \| the system \|$/gm)].flatMap(
      ([row]) => [...row.matchAll(/`([\w+-]+)`/g)].map(([, name]) => name),
    );

    expect(listed.sort()).toEqual(known.sort());
  });
});

describe('the page on errors', () => {
  it('has every code with its status', () => {
    const page = textOf('docs/reference/errors.md');
    const listed = [...page.matchAll(/^\| `([A-Z]\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
      code,
      Number(status),
    ]);

    expect(listed).toEqual(Object.entries(ERROR_CODES));
  });

  it('has every status of a storage', () => {
    const source = textOf('js/src/storage/page-storage.ts');
    const [, union = ''] = /type StoreStatus =([^;]+);/.exec(source) ?? [];
    const known = [...union.matchAll(/'(\w+)'/g)].map(([, status]) => status);
    const page = textOf('docs/reference/errors.md').split('## Status of the storage')[1]!;
    const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, status]) => status);

    expect(listed).toEqual(known);
  });
});

describe('the page on rules', () => {
  it('has every name of a rule', () => {
    const [, union = ''] = /type RuleCode =([^;]+);/.exec(textOf('js/src/base/issue.ts')) ?? [];
    const known = [...union.matchAll(/\| '([\w-]+)'/g)].map(([, rule]) => rule);
    const listed = [...textOf('docs/reference/rules.md').matchAll(/^\| `([\w-]+)` \|/gm)];

    expect(known.length).toBeGreaterThan(20);
    expect(listed.map(([, rule]) => rule)).toEqual(known);
  });
});

describe('the page on options', () => {
  it('has every option of openAccount', () => {
    const source = textOf('js/src/client/open-account.ts');
    const [, options = ''] = /^const OPEN_OPTIONS = \{([^}]+)\}/m.exec(source) ?? [];
    const [, ofProfile = ''] =
      /PROFILE_OPTIONS = \{([^}]+)\}/.exec(textOf('js/src/validation/validator.ts')) ?? [];
    const known = [...`${options}${ofProfile}`.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
    const listed = [...textOf('docs/reference/options.md').matchAll(/^\| `(\w+)` \|/gm)];

    expect(known.length).toBeGreaterThan(5);
    expect(listed.map(([, name]) => name!).sort()).toEqual(known.sort());
  });
});

describe('the page on a server', () => {
  it('has every option', () => {
    const usage = usageOf('serve', SERVE);
    // Every command has it.
    const known = new Set([...(usage.match(/--[a-z]+[A-Za-z-]*/g) ?? []), '--version']);
    const listed = textOf('docs/guides/server.md').match(/(?<=^\|.*`.*)--[a-z][A-Za-z-]*/gm);

    expect(new Set(listed)).toEqual(known);
  });
});
