import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { poolSizes as backendPools } from '#api/backend/pools.ts';
import { ordersOpenApi } from '#api/orders/openapi.ts';
import { poolSizes as ordersPools } from '#api/orders/pools.ts';
import {
  type DatabaseAddress,
  databaseAddresses,
  parseSettings,
  type SecretName,
  secretNames,
  secretsOf,
} from '#domain/settings/settings.ts';
import { parseTemporalSettings } from '#domain/settings/temporal.ts';
import {
  chartFolder,
  environmentOf,
  helm,
  kubeconform,
  lintChart,
  type Manifest,
  manifestsOf,
  renderChart,
  validateManifests,
} from '../support/deployment/chart.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { isWhole } from '../support/extent.ts';
import { productionSecrets } from '../support/services/production-settings.ts';

const examples = readdirSync(join(chartFolder, 'ci')).map((file) => join(chartFolder, 'ci', file));
const [example = ''] = examples;

const database = (role: string) =>
  `postgres://${role}:its-own-password@postgresql.example/outreach_platform?sslmode=verify-full`;
/** What the Secrets hold that the chart expects. */
const secrets = {
  ...productionSecrets,
  TEMPORAL_API_KEY: 'a-key-of-our-own',
  DATABASE_URL: database('owner'),
  DATABASE_URL_BFF: database('bff'),
  DATABASE_URL_BACKEND: database('outreach'),
  DATABASE_URL_ORDERS: database('orders'),
};

/** A pool of the usual size, and one that listens. */
const BFF_CONNECTIONS = 11;

const ofKind = (manifests: Manifest[], kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const labelsOf = (manifest: Manifest) => manifest.spec?.template?.metadata.labels ?? {};
const selects = (labels: Record<string, string> | undefined, pod: Record<string, string>) =>
  labels !== undefined && Object.entries(labels).every(([name, value]) => pod[name] === value);

interface Needed {
  addresses: DatabaseAddress[];
  secrets: readonly SecretName[];
}

/** Whether this pod is given what production needs, and no secret more; the image sets the first two. */
function assertFit(manifest: Manifest, manifests: Manifest[], { addresses, secrets: own }: Needed): void {
  const [container] = manifest.spec?.template?.spec.containers ?? [];
  if (!container) throw new Error(`${manifest.metadata.name} has no container`);
  const environment = {
    NODE_ENV: 'production',
    SANDBOX: 'off',
    ...environmentOf(container, manifests, secrets),
  };
  parseSettings(environment, [...addresses, ...own]);
  parseTemporalSettings(environment);
  const given = Object.keys(environment);
  const { name } = manifest.metadata;
  expect(
    given.filter((variable) => variable.startsWith('DATABASE_URL')),
    name,
  ).to.have.members(addresses);
  const keys = new Set<string>(['ENCRYPTION_KEYS', 'ENCRYPTION_KEY']);
  const isOwn = (secret: string) => own.some((one) => one === secret || (keys.has(one) && keys.has(secret)));
  const foreign = new Set<string>([...secretNames, 'ENCRYPTION_KEY'].filter((secret) => !isOwn(secret)));
  expect(
    given.filter((variable) => foreign.has(variable)),
    name,
  ).to.deep.equal([]);
}

describe('the Helm chart', function () {
  before(function () {
    // `go install helm.sh/helm/v3/cmd/helm@v3.18.6`, or as .ci/run does it.
    if (helm === null) this.skip();
  });

  for (const values of isWhole(import.meta.url) ? examples : [example]) {
    const name = values.slice(chartFolder.length + 1);

    it(`is well-formed, and valid for Kubernetes, with ${name}`, async function () {
      await lintChart(values);
      const manifests = await renderChart(values);
      expect(ofKind(manifestsOf(manifests), 'Deployment')).to.have.length(6);
      if (kubeconform === null) this.skip();
      await validateManifests(manifests);
      const unknown = await validateManifests(manifests.replace('readinessProbe:', 'readynessProbe:')).catch(String);
      expect(unknown).to.match(/readynessProbe/);
    });

    it(`gives each pod what production needs, and no database or secret but its own, with ${name}`, async () => {
      const manifests = manifestsOf(await renderChart(values));
      for (const deployment of ofKind(manifests, 'Deployment')) {
        const [container] = deployment.spec?.template?.spec.containers ?? [];
        const program = /\/services\/(\w+)\.mjs/.exec(container?.args?.[0] ?? '')?.[1] ?? '';
        assertFit(deployment, manifests, {
          addresses: [`DATABASE_URL_${program.toUpperCase()}` as DatabaseAddress],
          secrets: secretsOf[program as keyof typeof secretsOf],
        });
      }
      const [migrate] = ofKind(manifests, 'Job');
      if (!migrate) throw new Error('No job migrates');
      expect(migrate.metadata.annotations?.['helm.sh/hook']).to.equal('pre-install,pre-upgrade');
      // The ConfigMap does not exist yet when the job runs for the first time.
      expect(migrate.spec?.template?.spec.containers[0]?.envFrom).to.equal(undefined);
      assertFit(migrate, manifests, { addresses: [...databaseAddresses], secrets: [] });
    });
  }

  it('runs everything without rights and with probes, may lose a pod of each at a time, and scales what exists', async () => {
    const manifests = manifestsOf(await renderChart(example));
    const deployments = ofKind(manifests, 'Deployment');
    for (const deployment of deployments) {
      const pod = deployment.spec?.template?.spec;
      const [container] = pod?.containers ?? [];
      expect(pod?.securityContext.runAsNonRoot).to.equal(true);
      expect(container?.securityContext).to.include({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
      expect(container).to.include.keys('startupProbe', 'livenessProbe', 'readinessProbe');
      expect(selects(deployment.spec?.selector?.matchLabels, labelsOf(deployment))).to.equal(true);
      const budgets = ofKind(manifests, 'PodDisruptionBudget').filter(({ spec }) =>
        selects(spec?.selector?.matchLabels, labelsOf(deployment)),
      );
      expect(budgets, deployment.metadata.name).to.have.length(1);
    }
    const names = deployments.map(({ metadata }) => metadata.name);
    const scaled = ofKind(manifests, 'HorizontalPodAutoscaler').map(({ spec }) => spec?.scaleTargetRef?.name ?? '');
    expect(scaled.length).to.be.greaterThan(3);
    expect(names).to.include.members(scaled);
  });

  it('lets nobody reach the backend but the BFF, the backend reach the order service, and that the BFF', async () => {
    const manifests = manifestsOf(await renderChart(example));
    const deployments = ofKind(manifests, 'Deployment');
    const reaching = (component: string, port: string) => {
      const target = deployments.find((manifest) => labelsOf(manifest)['app.kubernetes.io/component'] === component);
      const rules = ofKind(manifests, 'NetworkPolicy')
        .filter(({ spec }) => target && selects(spec?.podSelector?.matchLabels, labelsOf(target)))
        .flatMap(({ spec }) => spec?.ingress ?? [])
        .filter(({ ports }) => ports.some((given) => given.port === port));
      const peers = rules.flatMap(({ from }) => from);
      return peers.map(({ podSelector }) => podSelector?.matchLabels['app.kubernetes.io/component'] ?? 'outside');
    };
    expect(reaching('backend', 'http').toSorted()).to.deep.equal(['bff', 'bff-worker']);
    expect(reaching('backend-worker', 'http')).to.deep.equal([]);
    const callers = ['backend', 'backend-worker', 'bff', 'bff-worker', 'outside'];
    expect(reaching('orders', 'http').toSorted()).to.deep.equal(callers);
    expect(reaching('bff', 'http').toSorted()).to.deep.equal(['orders', 'outside']);
  });

  it('keeps the workers of a release beside those of the next', async () => {
    const [former, next] = await Promise.all(
      ['1.0.0', '1.1.0'].map(async (build) =>
        ofKind(manifestsOf(await renderChart(example, [`temporal.buildId=${build}`])), 'Deployment').filter(
          ({ metadata }) => metadata.name.includes('worker'),
        ),
      ),
    );
    expect(former).to.have.length(3);
    for (const workers of former ?? []) {
      expect(workers.metadata.annotations).to.include({ 'helm.sh/resource-policy': 'keep' });
      for (const others of next ?? []) {
        expect(others.metadata.name).to.not.equal(workers.metadata.name);
        expect(selects(workers.spec?.selector?.matchLabels, labelsOf(others))).to.equal(false);
      }
    }
  });

  it('makes of the job that migrates one for another program of its image', async () => {
    const audit = ['migrations.program=audit', 'migrations.arguments={--verify}'];
    const named: [string[], string, string[]][] = [
      [[], 'shop-migrate', ['dist/services/migrate.mjs']],
      [['migrations.program=restored'], 'shop-restored', ['dist/services/restored.mjs']],
      [['migrations.program=adopt'], 'shop-adopt', ['dist/services/adopt.mjs']],
      [audit, 'shop-audit', ['dist/services/audit.mjs', '--verify']],
    ];
    for (const [settings, name, args] of named) {
      const [job] = ofKind(manifestsOf(await renderChart(example, settings)), 'Job');
      expect(job?.metadata.name).to.equal(name);
      expect(job?.spec?.template?.spec.containers[0]?.args).to.deep.equal(args);
    }
    expect(await renderChart(example, ['migrations.program=bff']).catch(String)).to.match(/program/);
  });

  it('evicts no pod for what uploads may take', async () => {
    const manifests = manifestsOf(await renderChart(example));
    const { UPLOADS_MAX_BYTES } = parseSettings({});
    for (const { metadata, spec } of ofKind(manifests, 'Deployment')) {
      const limit = spec?.template?.spec.volumes.find(({ name }) => name === 'tmp')?.emptyDir?.sizeLimit ?? '';
      expect(limit, metadata.name).to.match(/^\d+Mi$/);
      expect(Number.parseInt(limit, 10) * 1_048_576, metadata.name).to.be.above(UPLOADS_MAX_BYTES);
    }
  });

  it('trusts authorities of one’s own, and adds what a cluster asks of each pod', async () => {
    const manifests = manifestsOf(
      await renderChart(example, [
        'authoritiesConfigMapName=own',
        'pods.annotations.mesh=on',
        'pods.env[0].name=TZ',
        'pods.env[0].value=UTC',
        'pods.initContainers[0].name=first',
        'pods.volumes[0].name=more',
        'pods.volumeMounts[0].name=more',
        'pods.volumeMounts[0].mountPath=/more',
        'serviceAccount.name=outreach',
        'serviceAccount.annotations.role=outreach',
      ]),
    );
    const pods = [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'Job')];
    expect(pods).to.have.length(7);
    for (const { kind, spec } of pods) {
      const { metadata, spec: pod } = spec?.template ?? {};
      const [container] = pod?.containers ?? [];
      if (!container) throw new Error('no container');
      expect(environmentOf(container, manifests, secrets)).to.include({
        NODE_EXTRA_CA_CERTS: '/etc/authorities/ca.crt',
        TZ: 'UTC',
      });
      expect(container.volumeMounts.map(({ mountPath }) => mountPath)).to.include.members([
        '/etc/authorities',
        '/more',
      ]);
      expect(pod?.volumes.map(({ name }) => name)).to.include.members(['authorities', 'more']);
      expect(pod?.volumes.find(({ name }) => name === 'authorities')?.configMap?.name).to.equal('own');
      expect(pod?.initContainers).to.deep.equal([{ name: 'first' }]);
      expect(metadata?.annotations).to.include({ mesh: 'on' });
      if (kind === 'Deployment') expect(pod?.serviceAccountName).to.equal('outreach');
    }
    const [account] = ofKind(manifests, 'ServiceAccount');
    expect(account?.metadata).to.deep.include({ name: 'outreach', annotations: { role: 'outreach' } });
    const without = manifestsOf(
      await renderChart(example, ['serviceAccount.create=false', 'serviceAccount.name=theirs']),
    );
    expect(ofKind(without, 'ServiceAccount')).to.deep.equal([]);
  });

  it('publishes what callers outside need, and nothing internal, by an Ingress or an HTTPRoute', async () => {
    const manifests = manifestsOf(
      await renderChart(example, ['httpRoute.enabled=true', 'httpRoute.parentRefs[0].name=public']),
    );
    const byIngress = (ofKind(manifests, 'Ingress')[0]?.spec?.rules ?? []).flatMap(({ host, http }) =>
      (http?.paths ?? []).map(({ path, backend }) => [host, path, backend.service.name]),
    );
    const byRoute = ofKind(manifests, 'HTTPRoute').flatMap(({ spec }) =>
      (spec?.rules ?? []).flatMap(({ matches = [], backendRefs = [] }) =>
        matches.map(({ path }) => [spec?.hostnames?.[0], path.value, backendRefs[0]?.name]),
      ),
    );
    expect(byRoute).to.deep.equal(byIngress);
    const published = byIngress.flatMap(([host, path = '']) => (host === 'orders.example' ? [path] : []));
    const described = Object.keys(ordersOpenApi().paths ?? {});
    const isPublished = (path: string) => published.some((prefix) => path.startsWith(prefix));
    expect(described.filter((path) => !isPublished(path))).to.deep.equal(['/healthz', '/livez', '/readyz']);
    expect(isPublished('/internal/v1/attributions')).to.equal(false);
    expect(byIngress.find(([host]) => host === 'console.example')).to.deep.equal(['console.example', '/', 'shop-bff']);
  });

  it('has every process scraped under the job that the rules ask for, and brings the rules', async () => {
    const monitoring = ['monitoring.podMonitor=true', 'monitoring.rules=true', 'monitoring.labels.release=prometheus'];
    const manifests = manifestsOf(await renderChart(example, monitoring));
    const [monitor] = ofKind(manifests, 'PodMonitor');
    const [endpoint] = monitor?.spec?.podMetricsEndpoints ?? [];
    expect(endpoint?.relabelings).to.deep.equal([
      { sourceLabels: ['__meta_kubernetes_pod_container_name'], targetLabel: 'job' },
    ]);
    for (const deployment of ofKind(manifests, 'Deployment')) {
      expect(selects(monitor?.spec?.selector?.matchLabels, labelsOf(deployment))).to.equal(true);
      const [container] = deployment.spec?.template?.spec.containers ?? [];
      expect(container?.ports?.map(({ name }) => name)).to.include(endpoint?.port);
      expect(container?.name).to.be.oneOf(['bff', 'backend', 'orders']);
    }
    const [rules] = ofKind(manifests, 'PrometheusRule');
    expect(rules?.metadata.labels).to.include({ release: 'prometheus' });
    const { groups } = parse(readFileSync(join(projectFolder, 'ops/prometheus/alerts.yaml'), 'utf8')) as object & {
      groups: object[];
    };
    expect(rules?.spec?.groups).to.deep.equal(groups);
  });

  it('lets pods reach DNS, each other and what is named, once something is', async () => {
    const [open] = ofKind(manifestsOf(await renderChart(example)), 'NetworkPolicy');
    expect(open?.spec?.policyTypes).to.deep.equal(['Ingress']);
    const named = ['networkPolicy.egress[0].to[0].ipBlock.cidr=10.0.0.0/8'];
    const policies = ofKind(manifestsOf(await renderChart(example, named)), 'NetworkPolicy');
    expect(policies).to.have.length(6);
    for (const { spec } of policies) {
      expect(spec?.policyTypes).to.deep.equal(['Ingress', 'Egress']);
      expect(spec?.egress).to.have.length(3);
      expect(spec?.egress?.[2]?.to).to.deep.equal([{ ipBlock: { cidr: '10.0.0.0/8' } }]);
    }
  });

  it('is refused where its pods may open more connections than PostgreSQL accepts', async () => {
    const total = (sizes: Record<string, { max: number }>) =>
      Object.values(sizes).reduce((sum, { max }) => sum + max, 0);
    const ofEach = { bff: BFF_CONNECTIONS, backend: total(backendPools), orders: total(ordersPools) };
    const fixed = ['bff', 'bff-worker', 'backend', 'backend-worker', 'orders', 'orders-worker'].flatMap((name) => [
      `workloads.${name}.autoscaling.enabled=false`,
      `workloads.${name}.replicas=2`,
    ]);
    // Two of each, and one more while they are replaced.
    const needed = (ofEach.bff + ofEach.backend + ofEach.orders) * 2 * 3;
    const within = (limit: number) => renderChart(example, [`database.maxConnections=${limit}`, ...fixed]);
    await within(needed);
    expect(await within(needed - 1).catch(String)).to.match(
      new RegExp(`may open ${needed} connections to PostgreSQL, of ${needed - 1}`),
    );
  });

  it('rejects a secret among the settings, and an address that is missing', async () => {
    const failure = (settings: string[]) => renderChart(example, settings).catch(String);
    expect(await failure(['settings.ENCRYPTION_KEY=abc'])).to.match(/ENCRYPTION_KEY/);
    for (const address of ['temporal.address', 'image.registry', 'settings.PUBLIC_BFF_URL', 'settings.IDENTITY_ISSUER'])
      expect(await failure([`${address}=`])).to.include(`${address} must be given`);
  });
});
