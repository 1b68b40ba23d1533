import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * Who may know whom: each room of src/ with the rooms it may import (its own files always). The two worker entries of
 * service/ are loaded by path, never imported.
 */
const arrows = {
  contract: [],
  calendar: [],
  engine: [],
  client: ['contract'],
  series: ['contract', 'calendar'],
  service: ['contract', 'calendar', 'engine'],
  connection: ['client', 'contract', 'service'],
  tree: ['client', 'contract', 'calendar', 'series', 'connection'],
  commands: ['client', 'contract', 'calendar', 'series', 'connection', 'tree', 'chart'],
  chart: ['client', 'contract', 'calendar', 'series', 'connection'],
  webview: ['contract', 'calendar', 'chart'],
};
const rooms = Object.keys(arrows);
const withVscode = ['connection', 'tree', 'commands', 'chart'];
const libraries = {
  contract: ['zod/mini'],
  calendar: [],
  engine: ['node:worker_threads'],
  webview: ['uplot', 'uplot/dist/uPlot.min.css'],
};

const roomRules = rooms.map((room) => {
  const forbidden = rooms.filter((other) => other !== room && !arrows[room].includes(other));
  const patterns = [
    {
      regex: `/(${forbidden.join('|')})/`,
      message: `${room}/ may import only: ${arrows[room].join(', ') || 'nothing'}.`,
    },
    { regex: '^\\.\\./extension', message: 'Nothing imports the composition root.' },
  ];
  if (!withVscode.includes(room)) patterns.push({ regex: '^vscode$', message: `${room}/ works without VS Code.` });
  if (libraries[room]) {
    const allowed = [...libraries[room], '\\.'].map((name) => (name === '\\.' ? name : `${name}$`));
    patterns.push({
      regex: `^(?!${allowed.join('|')})`,
      message: `${room}/ may use only: ${libraries[room].join(', ')}.`,
    });
  }
  if (room === 'webview') {
    patterns.push({ regex: '/chart/(?!protocol\\.ts)', message: 'webview/ knows only chart/protocol.ts.' });
  }
  return {
    files: [`src/${room}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
});

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', '.harness/', '.vscode-test/'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
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
    files: ['src/service/serve.ts', 'src/client/check-cli.ts', 'test/bench/**/*.ts', 'test/**/*.mjs'],
    rules: { 'no-console': 'off' },
  },
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-unused-expressions': 'off' } },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/connection/say.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[property.name=/^show(Error|Warning|Information)Message$/]',
          message: 'Notifications go through connection/say.ts, which keeps texts from becoming links.',
        },
      ],
    },
  },
  ...roomRules,
);
