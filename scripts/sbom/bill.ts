import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../start/services.ts';
import { closureOf, type LockedPackage, type Lockfile, nameOf, neededBy } from './lockfile.ts';

/**
 * `required`: part of what runs, at the services or in browsers; `optional`: where the platform needs it; `excluded`:
 * of development alone.
 */
type Scope = 'required' | 'optional' | 'excluded';

export interface Component {
  type: 'library';
  'bom-ref': string;
  name: string;
  version: string;
  scope: Scope;
  purl: string;
  hashes?: { alg: string; content: string }[];
  licenses?: ({ license: { id: string } } | { expression: string })[];
}

/** A bill of materials as CycloneDX 1.6 has it, as far as ours says something. */
export interface Bill {
  $schema: string;
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  serialNumber: string;
  version: number;
  metadata: {
    timestamp: string;
    component: { type: 'application'; 'bom-ref': string; name: string; version: string };
  };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const bare = /(?:from|import)\s*\(?\s*['"]((?:@[\w.-]+\/)?[\w.-]+)/g;

/** Packages that the console is built from: what its files import becomes part of what browsers run. */
function consoleImports(): Set<string> {
  const files = readdirSync(join(projectFolder, 'web'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => /\.(ts|vue|css)$/.test(name) && !name.endsWith('.test.ts'));
  const texts = sources.map((name) => readFileSync(join(projectFolder, 'web', name), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(bare)].map(([, name = '']) => name)));
}

const refOf = (path: string, found: LockedPackage): string => `${nameOf(path, found)}@${found.version}`;

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

const algorithms: Record<string, string> = { sha512: 'SHA-512', sha384: 'SHA-384', sha256: 'SHA-256', sha1: 'SHA-1' };

function hashesOf(integrity: string | undefined): Pick<Component, 'hashes'> {
  const [algorithm = '', digest = ''] = (integrity ?? '').split(/-(.*)/);
  const alg = algorithms[algorithm];
  return alg ? { hashes: [{ alg, content: Buffer.from(digest, 'base64').toString('hex') }] } : {};
}

function licencesOf(license: string | undefined): Pick<Component, 'licenses'> {
  if (license === undefined) return {};
  return { licenses: [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }] };
}

function componentOf(path: string, found: LockedPackage, runs: ReadonlySet<string>): Component {
  const name = nameOf(path, found);
  const { version } = found;
  const running: Scope = found.optional ? 'optional' : 'required';
  return {
    type: 'library',
    'bom-ref': refOf(path, found),
    name,
    version,
    scope: runs.has(path) ? running : 'excluded',
    purl: purlOf(name, version),
    ...hashesOf(found.integrity),
    ...licencesOf(found.license),
  };
}

const strength: readonly Scope[] = ['required', 'optional', 'excluded'];

/** One for each name and version, which may be installed in several folders: the strongest scope counts. */
function distinct(components: Component[]): Component[] {
  const byStrength = components.toSorted((one, other) => strength.indexOf(one.scope) - strength.indexOf(other.scope));
  const first = new Map<string, Component>();
  for (const component of byStrength) if (!first.has(component['bom-ref'])) first.set(component['bom-ref'], component);
  return [...first.values()].toSorted((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1));
}

/**
 * What a release is made of, from package-lock.json. `npm sbom` leaves out each package that another one names as a
 * peer, koa and @temporalio/activity among them, with all that only they need.
 */
export function billOf(lockfile: Lockfile, release: string): Bill {
  const project = lockfile.get('');
  if (!project) throw new Error('package-lock.json does not have the project');
  const imported = consoleImports();
  const ofConsole = Object.keys(project.devDependencies).filter((name) => imported.has(name));
  const direct = [...Object.keys(project.dependencies), ...ofConsole].map((name) => `node_modules/${name}`);
  const runs = closureOf(lockfile, direct);
  const packages = [...lockfile].filter(([path]) => path !== '');
  const edges = new Map<string, Set<string>>([[project.name ?? '', new Set(direct)]]);
  for (const [path, found] of packages) {
    const ref = refOf(path, found);
    edges.set(ref, new Set([...(edges.get(ref) ?? []), ...neededBy(lockfile, path)]));
  }
  const refAt = (path: string): string[] => {
    const found = lockfile.get(path);
    return found ? [refOf(path, found)] : [];
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      component: {
        type: 'application',
        'bom-ref': project.name ?? '',
        name: project.name ?? '',
        version: `${project.version}+${release}`,
      },
    },
    components: distinct(packages.map(([path, found]) => componentOf(path, found, runs))),
    dependencies: [...edges].map(([ref, needed]) => ({
      ref,
      dependsOn: [...new Set([...needed].flatMap(refAt))].toSorted(),
    })),
  };
}
