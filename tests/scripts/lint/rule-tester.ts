// rule-tester.ts - runs the cases of a rule of ours, as tests of this project.

import { join } from 'node:path';

import { RuleTester, type Rule } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';

Object.assign(RuleTester, {
  describe,
  // The first case has the compiler read its libraries.
  it: (title: string, run: () => void) => it(title, run, 60_000),
});

const FIXTURE = join(import.meta.dirname, 'fixture');

/** Code in which a rule finds nothing, and code with parts of the messages that it gives. */
export interface RuleCases {
  readonly options?: readonly unknown[];
  readonly valid: Readonly<Record<string, string>>;
  readonly invalid: Readonly<Record<string, { readonly code: string; readonly found: string[] }>>;
}

/** @param rule - may ask for types. */
export function runRule(name: string, rule: unknown, { options = [], valid, invalid }: RuleCases) {
  const tester = new RuleTester({
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: './tsconfig.json',
        tsconfigRootDir: FIXTURE,
        // If CI is set, the parser would otherwise read types from the file on disk, not the case.
        disallowAutomaticSingleRunInference: true,
      },
    },
  });
  const file = { filename: join(FIXTURE, 'case.ts'), options: [...options] };
  tester.run(name, rule as Rule.RuleModule, {
    valid: Object.entries(valid).map(([title, code]) => ({ name: title, code, ...file })),
    invalid: Object.entries(invalid).map(([title, { code, found }]) => ({
      name: title,
      code,
      ...file,
      errors: found.map((message) => ({ message: new RegExp(message) })),
    })),
  });
}
