/**
 * `npm run release -- --tag v1.2.3 --repository https://github.com/OWNER/NAME`: checks what both marketplaces and a reader
 * of the release want, and packages the extension with links that lead to the repository.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension, packageExtension } from './build.ts';
import { root } from './paths.ts';
import { end } from './processes.ts';
import { Problem, reason, say } from './say.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly publisher?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly icon?: string;
  readonly license?: string;
  readonly categories?: readonly string[];
  readonly keywords?: readonly string[];
}

/** What a release lacks, a sentence each. */
export function faultsOf(manifest: Manifest, changelog: string, readme: string, tag: string): string[] {
  const { version, publisher, displayName, description, icon, license, categories = [], keywords = [] } = manifest;
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, file]) => file);
  return [
    tag === `v${version}` ? '' : `The tag is ${tag}, and package.json has ${version}.`,
    new RegExp(`^## ${version.replaceAll('.', '\\.')}$`, 'm').test(changelog)
      ? ''
      : `CHANGELOG.md has no part “${version}”.`,
    /^## Unreleased\s(?:(?!^## )[\s\S])*?^- /m.test(changelog) ? 'CHANGELOG.md still has unreleased lines.' : '',
    ...Object.entries({ publisher, displayName, description, icon, license }).map(([name, value]) =>
      value ? '' : `package.json has no ${name}.`,
    ),
    categories.length > 0 ? '' : 'package.json has no categories.',
    keywords.length <= 30 ? '' : 'A marketplace takes 30 keywords at most.',
    ...[icon ?? '', 'LICENSE', ...links].map((file) =>
      existsSync(path.join(root, file)) ? '' : `There is no ${file}, which the package or its page names.`,
    ),
  ].filter(Boolean);
}

async function main(): Promise<number> {
  const options = { tag: { type: 'string' }, repository: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { tag = '', repository = '', help } = parseArgs({ options }).values;
  if (help) {
    say('npm run release -- --tag v1.2.3 --repository https://github.com/OWNER/NAME');
    say('Checks what both marketplaces want, and packages the extension with links that lead to the repository.');
    return 0;
  }
  if (!URL.canParse(repository)) throw new Problem('Name the repository: --repository https://github.com/OWNER/NAME');
  const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
  const manifest = JSON.parse(read('package.json')) as Manifest;
  const faults = faultsOf(manifest, read('CHANGELOG.md'), read('README.md'), tag);
  for (const fault of faults) say(fault);
  if (faults.length > 0) return 1;
  await buildExtension();
  for (const size of await packageExtension({ url: repository, tag })) say(size);
  return 0;
}

if (process.argv[1] === import.meta.filename) {
  main().then(end, (error: unknown) => {
    say(reason(error));
    return end(1);
  });
}
