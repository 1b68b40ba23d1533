/** A bill of materials as npm writes it (CycloneDX); what is not read is kept as it is. */
export interface Sbom {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

const isOfDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

/**
 * The bill without what only the work on the project needs. `npm sbom --omit dev` would also leave out a library that is
 * bundled where a tool needs it too.
 * @param all of everything that is installed
 * @param root the project's own reference
 */
export function ofPackage<T extends Sbom>(all: T, root: string): T {
  const components = all.components.filter((component) => !isOfDevelopment(component));
  const refs = new Set([root, ...components.map((component) => component['bom-ref'])]);
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  return { ...all, components, dependencies };
}

/**
 * Bundled libraries that a bill does not name.
 * @param notices what `esbuild.mjs` writes: a notice each, which begins with name and version
 */
export function missingIn({ components }: Sbom, notices: string): string[] {
  const named = new Set(components.map(({ name, version }) => `${name} ${version}`));
  const bundled = notices.split('\n----------\n\n').map((notice) => notice.split('\n', 1)[0]);
  return bundled.filter((library) => !named.has(library));
}
