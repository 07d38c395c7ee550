import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { parse } from 'yaml';
import { parseSettings, type SecretName, secretNames, secretsOf } from '#domain/settings/settings.ts';
import { heapFlags, memorySettings, projectFolder } from '#scripts/start/services.ts';
import { productionSettings } from '../support/services/production-settings.ts';

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

interface Service {
  network_mode?: string;
  env_file?: string;
  environment?: Record<string, string>;
  build?: { target: string };
  tmpfs?: string[];
  volumes?: string[];
}

interface Compose {
  services: Record<string, Service>;
}

const secrets = [...secretNames, 'ENCRYPTION_KEY', 'FILES_TOKEN', 'AI_API_KEY'] as const;
const passwords = ['POSTGRESQL_PASSWORD', 'PASSWORD_BFF', 'PASSWORD_BACKEND', 'PASSWORD_ORDERS', 'GRAFANA_PASSWORD'];

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as Compose;

  it('is what the specification of Compose describes', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const { $schema: _, ...schema } = JSON.parse(read('test/vectors/compose/compose-spec.json')) as object & {
      $schema: string;
    };
    const validate = ajv.compile(schema);
    expect(validate(compose), JSON.stringify(validate.errors, null, 1)).to.equal(true);
    expect(validate({ services: { bff: { imagined: true } } }), 'an unknown key').to.equal(false);
  });

  it('sets, with .env, whatever production needs', () => {
    const given = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    const { environment = {} } = compose.services['bff'] ?? {};
    const image = ['NODE_ENV', 'SANDBOX'];
    const set = new Set([...given, ...Object.keys(environment), ...image]);
    expect(Object.keys(productionSettings).filter((name) => !set.has(name))).to.deep.equal([]);
    const used = [...read('compose.yaml').matchAll(/\$\{(\w+):[?]\}/g)].map(([, name]) => name);
    expect(used.filter((name) => !given.includes(name))).to.deep.equal([]);
  });

  it('keeps uploads on a disk, where they do not count against the memory of the backend', () => {
    const { tmpfs, volumes } = compose.services['backend'] ?? {};
    expect({ tmpfs, volumes }).to.deep.equal({ tmpfs: [], volumes: ['uploads:/tmp'] });
  });

  const filled: Record<string, string> = {
    ...Object.fromEntries([...secrets, ...passwords].map((name) => [name, `the-secret-of-${name.toLowerCase()}`])),
    ...productionSettings,
    ENCRYPTION_KEYS: '',
  };

  /** What a container is given: all of `.env`, and instead of it what stands under `environment`. */
  function environmentOf(name: string, file = filled): Record<string, string> {
    const { env_file: from, environment = {} } = compose.services[name] ?? {};
    const complete = (text: string) =>
      text.replaceAll(/\$\{(\w+):[?-]\}/g, (_, variable: string) => file[variable] ?? '');
    const own = Object.entries(environment).map(([variable, text]) => [variable, complete(text)] as const);
    return { ...(from === '.env' ? file : {}), ...Object.fromEntries(own) };
  }

  for (const [name, own] of Object.entries(secretsOf))
    it(`gives ${name} its own secrets and database, and no other`, () => {
      const environment = environmentOf(name);
      const address = `DATABASE_URL_${name.toUpperCase()}` as 'DATABASE_URL_BFF';
      parseSettings(environment, [...(own as readonly SecretName[]), address]);
      const given = Object.keys(environment).filter((variable) => environment[variable] !== '');
      const allowed = new Set<string>([...own, 'ENCRYPTION_KEY', name === 'bff' ? 'FILES_TOKEN' : '']);
      if (name === 'backend') allowed.add('AI_API_KEY');
      const foreign = new Set<string>([...secrets, ...passwords].filter((secret) => !allowed.has(secret)));
      expect(given.filter((variable) => foreign.has(variable))).to.deep.equal([]);
      expect(given.filter((variable) => variable.startsWith('DATABASE_URL'))).to.deep.equal([address]);
    });

  it('has a demonstration whose settings production accepts, and which its sandbox and services share', () => {
    const demonstration = Object.fromEntries(
      [...read('.env.demo').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    const production = { ...demonstration, NODE_ENV: 'production', SANDBOX: 'off' };
    const sandbox = parseSettings(environmentOf('sandbox', demonstration), secretNames);
    for (const [name, own] of Object.entries(secretsOf)) {
      const settings = parseSettings(environmentOf(name, production), own as readonly SecretName[]);
      expect(settings).to.include({ PLATFORM_BASE_URL: `http://127.0.0.1:${sandbox.SANDBOX_PORT}` });
    }
    const shared = ['PLATFORM_APP_SECRET', 'IDENTITY_CLIENT_SECRET', 'PAYMENT_GATEWAY_KEY'] as const;
    for (const name of shared) expect([sandbox[name]].flat()).to.deep.equal([demonstration[name]]);
  });

  it('keeps its network when a server is started again', () => {
    const others = Object.entries(compose.services).filter(([name]) => name !== 'network');
    expect(others.filter(([, { network_mode: mode }]) => mode !== 'service:network')).to.deep.equal([]);
    expect(compose.services['network']).to.not.have.any.keys('network_mode', 'env_file');
  });
});

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile');

  it('starts services as npm start does', () => {
    const entry = ['/nodejs/bin/node', ...heapFlags, '--enable-source-maps'];
    expect(dockerfile).to.include(`ENTRYPOINT ${JSON.stringify(entry).replaceAll(',', ', ')}`);
    for (const [name, value] of Object.entries(memorySettings)) expect(dockerfile).to.include(`${name}=${value}`);
  });

  it('has a stage for each that compose builds, runs as nobody, and checks the health of each service', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as Compose;
    const targets = Object.values(services).flatMap(({ build }) => (build ? [build.target] : []));
    expect([...new Set(targets)].toSorted()).to.deep.equal(['backend', 'bff', 'migrate', 'orders', 'sandbox']);
    expect(dockerfile).to.match(/^FROM build AS sandbox\n(?:.+\n)*HEALTHCHECK /m);
    for (const target of targets.filter((one) => one !== 'sandbox')) {
      const stage = new RegExp(`^FROM runtime AS ${target}\\n(?<steps>(?:.+\\n)+)`, 'm').exec(dockerfile);
      const steps = stage?.groups?.['steps'] ?? '';
      expect(steps).to.include(`/images/${target}`).and.include(`CMD ["dist/services/${target}.mjs"]`);
      if (target !== 'migrate') expect(steps).to.match(/^HEALTHCHECK /m);
    }
    expect(dockerfile).to.match(
      /^FROM gcr\.io\/distroless\/nodejs.*:nonroot AS runtime\nWORKDIR \/app\nUSER nonroot$/m,
    );
  });
});
