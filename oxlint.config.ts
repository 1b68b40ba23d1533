import { defineConfig } from 'oxlint';

/** Who may know whom: each room of src/ with the rooms it may import (its own files always). */
const arrows: Record<string, readonly string[]> = {
  platform: [],
  contract: [],
  calendar: [],
  engine: [],
  client: ['contract', 'calendar', 'platform'],
  reading: ['contract', 'calendar', 'platform'],
  chart: ['contract', 'calendar'],
  service: ['contract', 'calendar', 'engine', 'platform'],
  server: ['contract', 'calendar', 'engine', 'service'],
  agents: ['chart', 'client', 'contract', 'calendar', 'reading'],
  editor: ['agents', 'chart', 'client', 'contract', 'calendar', 'platform', 'reading'],
  'editor/connection': ['client', 'contract', 'calendar', 'reading', 'service'],
  webview: ['chart', 'contract', 'calendar', 'editor'],
  cli: ['agents', 'client', 'contract', 'calendar', 'engine', 'reading', 'server', 'service'],
};
const rooms = Object.keys(arrows).filter((room) => !room.includes('/'));
const outerOf = (room: string) => room.split('/')[0];

/** The only libraries that these rooms may use. */
const libraries: Record<string, readonly string[]> = {
  contract: ['zod/mini'],
  calendar: ['@vscode/l10n'],
  engine: [],
  chart: ['@vscode/l10n'],
  webview: ['@vscode/l10n', 'preact', 'preact/hooks', '@preact/signals'],
};

/** The imports that a room may not have, as options of `house/imports`. */
function forbiddenTo(room: string) {
  const forbidden = rooms.filter((other) => other !== outerOf(room) && !arrows[room].includes(other));
  const patterns = [
    {
      regex: `^\\.{1,2}/(?:.*/)?(${forbidden.join('|')})/`,
      message: `${room}/ may import only: ${arrows[room].join(', ') || 'nothing'}.`,
    },
    { regex: '/extension\\.ts$', message: 'Nothing imports the composition root.' },
  ];
  if (!['editor', 'platform'].includes(outerOf(room)))
    patterns.push({ regex: '^vscode$', message: `${room}/ works without VS Code.` });
  if (room in libraries)
    patterns.push({
      regex: `^(?!${[...libraries[room].map((name) => `${name}$`), '\\.'].join('|')})`,
      message: `${room}/ may use only: ${libraries[room].join(', ') || 'none'}.`,
    });
  // what only a service for a team needs is never in the extension
  if (['editor', 'service'].includes(outerOf(room)))
    patterns.push({ regex: '^(pg|pg-boss|pino|prom-client|commander)$', message: 'The extension serves nobody else.' });
  if (room === 'webview')
    patterns.push({
      regex: '/editor/(?!(?:views/[\\w-]+|many-series)/(?:protocol|view)\\.ts)',
      message: 'webview/ knows only the messages and the states of pages.',
    });
  return patterns;
}

const SOURCES = 'src/**/*.{ts,tsx}';

const SHORT = {
  complexity: ['error', 20],
  'max-depth': ['error', 4],
  'max-lines-per-function': ['error', 60],
  'max-params': ['error', 4],
} as const;

/** Rules without options, as errors. */
const errors = (...rules: readonly string[]) => Object.fromEntries(rules.map((rule) => [rule, 'error' as const]));
const off = (...rules: readonly string[]) => Object.fromEntries(rules.map((rule) => [rule, 'off' as const]));

/** What is not an error by its category: ESLint's recommended rules and typescript-eslint's strict and stylistic ones. */
const more = errors(
  'no-array-constructor',
  'no-case-declarations',
  'no-empty',
  'no-empty-function',
  'no-fallthrough',
  'no-misleading-character-class',
  'no-prototype-builtins',
  'no-regex-spaces',
  'no-unexpected-multiline',
  'no-useless-constructor',
  'no-var',
  'prefer-const',
  'prefer-rest-params',
  'prefer-spread',
  'preserve-caught-error',
  'typescript/adjacent-overload-signatures',
  'typescript/array-type',
  'typescript/ban-ts-comment',
  'typescript/ban-tslint-comment',
  'typescript/class-literal-property-style',
  'typescript/consistent-generic-constructors',
  'typescript/consistent-indexed-object-style',
  'typescript/consistent-type-assertions',
  'typescript/consistent-type-definitions',
  'typescript/no-confusing-non-null-assertion',
  'typescript/no-dynamic-delete',
  'typescript/no-empty-object-type',
  'typescript/no-explicit-any',
  'typescript/no-extraneous-class',
  'typescript/no-inferrable-types',
  'typescript/no-invalid-void-type',
  'typescript/no-misused-promises',
  'typescript/no-namespace',
  'typescript/no-non-null-asserted-nullish-coalescing',
  'typescript/no-require-imports',
  'typescript/no-unnecessary-type-constraint',
  'typescript/no-unsafe-function-type',
  'typescript/prefer-for-of',
  'typescript/prefer-function-type',
  'typescript/prefer-literal-enum-member',
  'typescript/switch-exhaustiveness-check',
  'typescript/unified-signatures',
);

export default defineConfig({
  plugins: ['typescript'],
  jsPlugins: ['./oxlint-rules.mjs', 'eslint-plugin-regexp'],
  categories: { correctness: 'error' },
  options: { typeAware: true },
  ignorePatterns: ['dist/', 'out/', '.harness/', '.vscode-test/'],
  rules: {
    ...more,
    'no-console': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    // a file is as long as its one idea; blank lines and comments count
    'max-lines': ['error', 500],
    // what text becomes is tried by tests; methods that are handed on are of objects without `this`
    ...off(
      'typescript/await-thenable',
      'typescript/no-base-to-string',
      'typescript/no-meaningless-void-operator',
      'typescript/no-misused-spread',
      'typescript/no-useless-default-assignment',
      'typescript/require-array-sort-compare',
      'typescript/restrict-template-expressions',
      'typescript/unbound-method',
    ),
  },
  overrides: [
    {
      files: [SOURCES],
      rules: {
        ...errors('house/no-circles', 'house/notifications'),
        // a promise that nobody waits for goes to the log, through inBackground, or has a catch of its own
        'no-void': 'error',
        'typescript/no-floating-promises': ['error', { ignoreVoid: false, checkThenables: true }],
      },
    },
    {
      // Text of strangers is matched everywhere: no pattern may take more than a few looks at each of its characters.
      files: [SOURCES, 'test/harness/**/*.ts'],
      rules: {
        'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
        'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      },
    },
    {
      files: ['src/cli/commands/*.ts', 'src/cli/mcp.ts', 'test/bench/**/*.ts', '**/*.mjs'],
      rules: off('no-console'),
    },
    {
      // an iterator over an array of numbers takes five times as long as an index, and leaves objects behind
      files: ['src/engine/**/*.ts'],
      rules: off('typescript/prefer-for-of'),
    },
    { files: ['test/**/*.{ts,tsx}'], rules: off('no-eval', 'no-unused-expressions', 'no-unsafe-optional-chaining') },
    ...rooms.map((room) => ({
      files: [`src/${room}/**/*.{ts,tsx}`],
      rules: SHORT,
    })),
    // numbers and places in memory are handed on one by one: an object for each call would cost more than the call
    { files: ['src/engine/**/*.ts'], rules: { 'max-params': ['error', 9] } },
    ...Object.keys(arrows).map((room) => ({
      files: [`src/${room}/**/*.{ts,tsx}`],
      rules: { 'house/imports': ['error', forbiddenTo(room)] as const },
    })),
  ],
});
