import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { noCircles } from './eslint-no-circles.mjs';

/** Who may know whom: each room of src/ with the rooms it may import (its own files always). */
const arrows = {
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
/** Rooms with functions that are longer than the limits allow. A room leaves this list when it is redesigned. */
const roomsToShorten = ['editor', 'service'];
const rooms = Object.keys(arrows).filter((room) => !room.includes('/'));
const libraries = {
  contract: ['zod/mini'],
  calendar: ['@vscode/l10n'],
  engine: [],
  chart: ['@vscode/l10n'],
  webview: ['@vscode/l10n', 'preact', 'preact/hooks', '@preact/signals'],
};

const roomRules = Object.keys(arrows).map((room) => {
  const outer = room.split('/')[0];
  const forbidden = rooms.filter((other) => other !== outer && !arrows[room].includes(other));
  const patterns = [
    {
      regex: `^\\.{1,2}/(?:.*/)?(${forbidden.join('|')})/`,
      message: `${room}/ may import only: ${arrows[room].join(', ') || 'nothing'}.`,
    },
    { regex: '/extension\\.ts$', message: 'Nothing imports the composition root.' },
  ];
  if (!['editor', 'platform'].includes(outer))
    patterns.push({ regex: '^vscode$', message: `${room}/ works without VS Code.` });
  if (libraries[room]) {
    const allowed = [...libraries[room], '\\.'].map((name) => (name === '\\.' ? name : `${name}$`));
    patterns.push({
      regex: `^(?!${allowed.join('|')})`,
      message: `${room}/ may use only: ${libraries[room].join(', ')}.`,
    });
  }
  // what only a service for a team needs is never in the extension
  if (outer === 'editor' || outer === 'service') {
    patterns.push({
      regex: '^(pg|pg-boss|pino|prom-client|commander)$',
      message: 'The extension serves nobody else.',
    });
  }
  if (room === 'webview') {
    patterns.push({
      regex: '/editor/(?!(?:views/[\\w-]+|many-series)/(?:protocol|view)\\.ts)',
      message: 'webview/ knows only the messages and the states of pages.',
    });
  }
  return {
    files: [`src/${room}/**/*.{ts,tsx}`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
});

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', '.harness/', '.vscode-test/'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    files: ['**/*.{ts,tsx}'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
    },
  },
  {
    // a promise that nobody waits for goes to the log, through inBackground, or has a catch of its own
    files: ['src/**/*.{ts,tsx}'],
    rules: { 'no-void': 'error' },
  },
  {
    // Text of strangers is matched everywhere: no pattern may take more than a few looks at each of its characters.
    files: ['src/**/*.{ts,tsx}', 'test/harness/**/*.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  {
    files: ['src/cli/commands/*.ts', 'src/cli/mcp.ts', 'test/bench/**/*.ts', 'test/**/*.mjs'],
    rules: { 'no-console': 'off' },
  },
  { files: ['test/**/*.{ts,tsx}'], rules: { '@typescript-eslint/no-unused-expressions': 'off' } },
  // a file is as long as its one idea; blank lines and comments count
  { files: ['**/*.{ts,tsx,mjs}'], rules: { 'max-lines': ['error', 500] } },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: roomsToShorten.map((room) => `src/${room}{,/**}`),
    rules: {
      complexity: ['error', 20],
      'max-depth': ['error', 4],
      'max-lines-per-function': ['error', 60],
      'max-params': ['error', 4],
    },
  },
  // numbers and places in memory are handed on one by one: an object for each call would cost more than the call
  { files: ['src/engine/**/*.ts'], rules: { 'max-params': ['error', 9] } },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/editor/ui/say.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[property.name=/^show(Error|Warning|Information)Message$/]',
          message: 'Notifications go through ui/say.ts, which keeps texts from becoming links.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { house: { rules: { 'no-circles': noCircles } } },
    rules: { 'house/no-circles': 'error' },
  },
  ...roomRules,
);
