// eslint.config.mjs - finds faults that types do not show: promises without a handler, unchecked
// values from outside. Prettier checks the layout.

import tseslint from 'typescript-eslint';

import { entitable } from './scripts/lint/plugin.mjs';

const PROMISES = {
  // `void promise` handles nothing: a rejection would still end a process of Node.
  '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false, checkThenables: true }],
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/await-thenable': 'error',
  // In a try block a promise that is returned without await escapes the catch.
  '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
  '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
  '@typescript-eslint/use-unknown-in-catch-callback-variable': 'error',
  'no-async-promise-executor': 'error',
};

const VALUES = {
  '@typescript-eslint/no-base-to-string': 'error',
  '@typescript-eslint/no-for-in-array': 'error',
  '@typescript-eslint/no-array-delete': 'error',
  '@typescript-eslint/no-implied-eval': 'error',
  '@typescript-eslint/only-throw-error': [
    'error',
    { allowRethrowing: true, allowThrowingUnknown: true },
  ],
  // With `||` an option that is 0 or '' would be lost.
  '@typescript-eslint/prefer-nullish-coalescing': [
    'error',
    { ignorePrimitives: { boolean: true }, ignoreConditionalTests: true },
  ],
  '@typescript-eslint/require-array-sort-compare': ['error', { ignoreStringArrays: true }],
  '@typescript-eslint/restrict-plus-operands': 'error',
  '@typescript-eslint/restrict-template-expressions': [
    'error',
    { allowNumber: true, allowBoolean: true, allowNullish: true },
  ],
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true },
  ],
  'array-callback-return': 'error',
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'no-constructor-return': 'error',
  'no-debugger': 'error',
  'no-self-assign': 'error',
  'no-self-compare': 'error',
  'no-sparse-arrays': 'error',
  'no-template-curly-in-string': 'error',
  'no-unreachable-loop': 'error',
  'no-unsafe-finally': 'error',
  'no-unsafe-optional-chaining': 'error',
  'use-isnan': 'error',
};

// No value of type `any` is used before it has another type.
const NO_ANY = {
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-unsafe-argument': 'error',
  '@typescript-eslint/no-unsafe-assignment': 'error',
  '@typescript-eslint/no-unsafe-call': 'error',
  '@typescript-eslint/no-unsafe-member-access': 'error',
  '@typescript-eslint/no-unsafe-return': 'error',
};

// Objects that a call may use or change as long as it lasts, though they have more than methods.
const HANDLES = [
  ...[
    'AbortSignalLike',
    'AccountSession',
    'CommandContext',
    'FileSystem',
    'PageStorage',
    'Processes',
    'Salvaging',
    'WorkerLike',
  ],
  ...['LiveResult', 'LiveSource', 'LoadedFile', 'SharedStore', 'StoreUser'],
  ...['ServiceRequest', 'TableSync'],
];

export default tseslint.config(
  {
    // The output of builds, sources of Emscripten, and a copy of an example.
    ignores: [
      ...['**/build/', '**/dist/', '**/node_modules/', 'bindings/'],
      'create-entitable/template/',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs', '**/*.js'],
    extends: [tseslint.configs.base],
    plugins: { entitable },
    languageOptions: {
      parserOptions: {
        project: './tsconfig.lint.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...PROMISES,
      ...VALUES,
      'entitable/reasoned-suppressions': 'error',
    },
  },
  {
    files: ['js/src/**/*.ts', 'web-demo/src/**/*.ts', 'playground/**/*.ts'],
    rules: NO_ANY,
  },
  {
    // A file or a function that is longer has a seam.
    files: [
      ...['js/src/**/*.ts', 'web-demo/src/**/*.ts', 'playground/**/*.ts'],
      ...['bench/**/*.{js,mjs,ts}', 'scripts/**/*.mjs'],
    ],
    rules: { 'max-lines': ['error', 350], 'max-lines-per-function': ['error', 40] },
  },
  {
    files: ['tests/**/*.ts'],
    rules: { 'max-lines': ['error', 350] },
  },
  {
    files: ['js/src/**/*.ts'],
    rules: {
      '@typescript-eslint/unbound-method': 'error',
      'entitable/abort-listeners': 'error',
      'entitable/arguments-before-await': ['error', { handles: HANDLES }],
    },
  },
  {
    // Calls of the API: with await, the stack of an error has the caller, even if the call fails at
    // once.
    files: [
      ...['index', 'archive', 'recovery', 'client/open-account', 'client/table-client'],
      ...['client/table-operations', 'client/table-requests', 'client/table-service-client'],
      'validation/validator',
    ].map((name) => `js/src/${name}.ts`),
    rules: { '@typescript-eslint/return-await': ['error', 'always'] },
  },
  {
    // A test may ignore a promise with `void`. It throws and prints any value.
    files: ['tests/**/*.ts', 'tests/**/*.js'],
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        { ignoreVoid: true, checkThenables: true },
      ],
      '@typescript-eslint/use-unknown-in-catch-callback-variable': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-implied-eval': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/require-array-sort-compare': 'off',
      '@typescript-eslint/restrict-plus-operands': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      'no-constructor-return': 'off',
      'no-unreachable-loop': 'off',
    },
  },
  {
    // What a handler of an event rejects with reaches the console, as an app wants it.
    files: ['examples/**'],
    rules: { '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }] },
  },
  {
    // Their types do not say that an empty variable of the environment is not set, and that a
    // failed request of IndexedDB has an error.
    files: ['**/*.mjs', '**/*.js'],
    rules: {
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
    },
  },
);
