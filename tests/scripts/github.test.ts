// The files that GitHub reads. It does not run here: what they name is there, and they have the
// form that it takes.

import { accessSync, constants, existsSync, readFileSync, readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { steps: { run?: string; uses?: string; with?: Record<string, string> }[] }>;
}
interface IssueForm {
  name: string;
  description: string;
  body: { type: string; id?: string; attributes: { label?: string; options?: string[] } }[];
}

const read = (path: string) => parse(readFileSync(`.github/${path}`, 'utf8')) as unknown;
const forms = readdirSync('.github/ISSUE_TEMPLATE').filter((name) => name !== 'config.yml');
const { scripts, publishConfig } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  string,
  object
>;

it('the workflow tests everything, then builds and keeps the site', () => {
  const { steps } = (read('workflows/test.yml') as Workflow).jobs['test']!;
  const commands = steps.flatMap(({ run }) => run ?? []);

  expect(commands.slice(-2)).toEqual(['.ci/run', 'npm run docs']);
  expect(() => accessSync('.ci/run', constants.X_OK)).not.toThrow();
  expect(scripts).toHaveProperty('docs');
  expect(steps.at(-1)!.with).toEqual({ name: 'site', path: 'build/docs/site' });
  // Where scripts/docs.mjs writes it.
  expect(readFileSync('scripts/docs.mjs', 'utf8')).toContain("'build/docs/site'");
});

it('the workflow that publishes may say where the package comes from', () => {
  const { permissions, jobs } = read('workflows/publish.yml') as Workflow;
  const { steps } = jobs['publish']!;

  // npm publishes with provenance only from such a workflow.
  expect(publishConfig).toMatchObject({ provenance: true });
  expect(permissions['id-token']).toBe('write');
  expect(steps.at(-1)!.run).toBe('npm publish && npm publish ./create-entitable');
});

describe.each(forms)('the issue form %s', (file) => {
  const form = read(`ISSUE_TEMPLATE/${file}`) as IssueForm;

  it('has what GitHub asks of a form', () => {
    expect(form.name.length).toBeGreaterThan(3);
    expect(form.description.length).toBeGreaterThan(3);
    const fields = form.body.filter(({ type }) => type !== 'markdown');
    expect(fields.length).toBeGreaterThan(0);
    for (const { type, attributes } of fields) {
      expect(['input', 'textarea', 'dropdown']).toContain(type);
      expect(attributes.label).toBeTruthy();
      if (type === 'dropdown') expect(attributes.options!.length).toBeGreaterThan(1);
    }
    const ids = fields.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('names pages that exist', () => {
    const text = readFileSync(`.github/ISSUE_TEMPLATE/${file}`, 'utf8');
    const named = text.match(/(?:docs\/)?[\w-]+\.md/g) ?? [];

    expect(named.filter((page) => !existsSync(page))).toEqual([]);
  });
});
