import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { projectFolder } from '#scripts/start/services.ts';
import { temporaryFolder } from '../servers/servers.ts';

export const chartFolder = join(projectFolder, 'ops/helm/outreach-platform');

/** The Kubernetes release whose schemas test/vectors/kubernetes holds. */
const KUBERNETES = '1.34.1';
const schemaLocation = join(projectFolder, 'test/vectors/kubernetes/{{ .ResourceKind }}{{ .KindSuffix }}.json');

const installed = (name: string, argument: string): string | null =>
  [name, join(homedir(), 'go/bin', name)].find((command) => {
    try {
      execFileSync(command, [argument], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }) ?? null;

/** The paths of the programs, or null where they are not installed. */
export const helm = installed('helm', 'version');
export const kubeconform = installed('kubeconform', '-v');

const run = promisify(execFile);

/** @throws Error with what the program printed if it is not satisfied. */
async function checked(program: string | null, args: string[]): Promise<string> {
  if (program === null) throw new Error('not installed');
  try {
    return (await run(program, args, { maxBuffer: 16 * 1_048_576 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.slice(0, 1).join('')}: ${stdout}${stderr}`, { cause: error });
  }
}

export const lintChart = (values: string) => checked(helm, ['lint', '--strict', chartFolder, '--values', values]);

/** The manifests as text. `settings` are further values, as `--set` takes them. */
export const renderChart = (values: string, settings: string[] = []) =>
  checked(helm, [
    'template',
    'shop',
    chartFolder,
    '--kube-version',
    KUBERNETES,
    '--values',
    values,
    ...settings.flatMap((setting) => ['--set', setting]),
  ]);

/** Compares each manifest with the schema of its kind, which allows nothing unknown. */
export async function validateManifests(manifests: string): Promise<string> {
  const file = join(temporaryFolder(), 'manifests.yaml');
  writeFileSync(file, manifests);
  return checked(kubeconform, ['-strict', '-summary', '-schema-location', schemaLocation, file]);
}

interface Container {
  name: string;
  image: string;
  args?: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string; optional?: true } } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  securityContext: { readOnlyRootFilesystem: boolean; allowPrivilegeEscalation: boolean };
  ports?: { name: string }[];
  volumeMounts: { name: string; mountPath: string }[];
  startupProbe?: object;
  livenessProbe?: object;
  readinessProbe?: object;
}

export interface Manifest {
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  data?: Record<string, string>;
  spec?: {
    selector?: { matchLabels: Record<string, string> };
    podSelector?: { matchLabels: Record<string, string> };
    scaleTargetRef?: { name: string };
    hostnames?: string[];
    podMetricsEndpoints?: { port: string; relabelings: { sourceLabels: string[]; targetLabel: string }[] }[];
    groups?: { name: string; rules: { alert?: string }[] }[];
    /** Of an Ingress, and of an HTTPRoute. */
    rules?: {
      host?: string;
      http?: { paths: { path: string; backend: { service: { name: string } } }[] };
      matches?: { path: { value: string } }[];
      backendRefs?: { name: string; port: number }[];
    }[];
    policyTypes?: string[];
    egress?: { to: object[] }[];
    ingress?: { from: { podSelector?: { matchLabels: Record<string, string> } }[]; ports: { port: string }[] }[];
    template?: {
      metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
      spec: {
        securityContext: { runAsNonRoot: boolean };
        serviceAccountName?: string;
        initContainers?: { name: string }[];
        containers: Container[];
        volumes: { name: string; emptyDir?: { sizeLimit?: string }; configMap?: { name: string } }[];
      };
    };
  };
}

export const manifestsOf = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? []);

/** What a pod's container is given, with `secrets` as the contents of every Secret. */
export function environmentOf(
  { env, envFrom = [] }: Container,
  manifests: Manifest[],
  secrets: Record<string, string>,
): Record<string, string> {
  const settings = envFrom.flatMap(({ configMapRef }) =>
    configMapRef ? Object.entries(manifests.find(isNamed('ConfigMap', configMapRef.name))?.data ?? {}) : [],
  );
  const own = env.flatMap(({ name, value, valueFrom }): [string, string][] => {
    const reference = valueFrom?.secretKeyRef;
    const given = value ?? secrets[reference?.key ?? ''];
    if (given === undefined && !reference?.optional) throw new Error(`Nothing has ${name}`);
    return given === undefined ? [] : [[name, given]];
  });
  const shared = envFrom.some(({ secretRef }) => secretRef) ? Object.entries(secrets) : [];
  return Object.fromEntries([...settings, ...shared, ...own]);
}

const isNamed = (kind: string, name: string) => (manifest: Manifest) =>
  manifest.kind === kind && manifest.metadata.name === name;
