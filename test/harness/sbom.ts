/** A bill of materials as npm writes it (CycloneDX); what is not read is kept as it is. */
export interface Sbom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly name: string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

const named = ({ name, version }: Component): string => `${name} ${version}`;

/** Names and versions of the bundled libraries. @param notices what `esbuild.mjs` writes: a notice each, which begins with them */
const bundledIn = (notices: string): string[] =>
  notices.split('\n----------\n\n').map((notice) => notice.split('\n', 1)[0]);

/**
 * The bill of what is in a package: the libraries that are bundled in it, and no others that are installed for another
 * program of the project.
 * @param all of everything that is installed
 * @param name of the package: npm takes that of the folder that it is in
 * @param notices of what is bundled
 */
export function ofPackage<T extends Sbom>(all: T, name: string, notices: string): T {
  const root = all.metadata.component['bom-ref'];
  const bundled = new Set(bundledIn(notices));
  const components = all.components.filter((component) => bundled.has(named(component)));
  const refs = new Set([root, ...components.map((component) => component['bom-ref'])]);
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  const component = { ...all.metadata.component, name, description: undefined };
  return { ...all, metadata: { ...all.metadata, component }, components, dependencies };
}

/** Bundled libraries that a bill does not name. @param notices of what is bundled */
export function missingIn({ components }: Sbom, notices: string): string[] {
  const known = new Set(components.map(named));
  return bundledIn(notices).filter((library) => !known.has(library));
}
