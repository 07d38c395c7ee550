import { expect } from 'chai';
import { parseTemporalSettings } from './temporal.ts';
import {
  productionAddresses,
  productionSecrets as secrets,
  productionSettings,
} from '#test/support/services/production-settings.ts';
import {
  type DatabaseAddress,
  databaseAddresses,
  parseSettings as parseFor,
  roleAddresses,
  secretNames,
  secretsOf,
  SettingsError,
} from './settings.ts';

/** As programs that stand for every service. */
const parseSettings = <Address extends DatabaseAddress = never>(
  given: Record<string, string | undefined>,
  addresses: readonly Address[] = [],
) => parseFor(given, [...addresses, ...secretNames]);

describe('settings', () => {
  it('takes an endpoint for traces, off by default, which production wants to be https, or within a network of its own', () => {
    const of = (OTEL_EXPORTER_OTLP_ENDPOINT: string) => parseSettings({ OTEL_EXPORTER_OTLP_ENDPOINT });
    expect(parseSettings({}).OTEL_EXPORTER_OTLP_ENDPOINT).to.equal(null);
    expect(of('off').OTEL_EXPORTER_OTLP_ENDPOINT).to.equal(null);
    expect(of('http://collector:4318/').OTEL_EXPORTER_OTLP_ENDPOINT).to.equal('http://collector:4318');
    expect(() => of('collector:4318')).to.throw(/OTEL_EXPORTER_OTLP_ENDPOINT/);
    const production = { NODE_ENV: 'production', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    expect(() => parseSettings(production)).to.throw(/OTEL_EXPORTER_OTLP_ENDPOINT: must be https/);
    expect(() => parseSettings({ ...production, INTERNAL_HTTP: 'allow' }))
      .to.throw()
      .with.property('message')
      .not.match(/OTEL/);
  });

  it('have defaults for development, and treat an empty variable as absent', () => {
    const settings = parseSettings({ BFF_PORT: '', METRICS_HOST: '' });
    expect(settings).to.include({
      BFF_PORT: 4000,
      BACKEND_PORT: 4001,
      ORDERS_PORT: 4002,
      SANDBOX_PORT: 4010,
      METRICS_HOST: '127.0.0.1',
      METRICS_PORT_BFF: 9400,
      METRICS_PORT_BACKEND: 9401,
      METRICS_PORT_ORDERS: 9402,
      DATA_DIR: '.data',
      SANDBOX: true,
      DEMO: true,
      POLL_INTERVAL_MS: 2000,
      SCHEDULE_GRACE_MS: 3_600_000,
      INBOX_PARTITIONS: 2,
      ORDERS_MAX_OPEN_HOLDS: 20,
      TOOL_API_ENABLED: false,
      PLATFORM_A1_IDEMPOTENT: false,
      PLATFORM_CALLS_PER_SECOND: 50,
    });
  });

  it('point wildcard addresses to this machine, and put IPv6 in brackets', () => {
    for (const [HOST, reached] of [
      ['0.0.0.0', '127.0.0.1'],
      ['::', '127.0.0.1'],
      ['::1', '[::1]'],
      ['10.0.0.7', '10.0.0.7'],
    ])
      expect(parseSettings({ HOST }), HOST).to.include({
        BACKEND_URL: `http://${reached}:4001`,
        ORDERS_URL: `http://${reached}:4002`,
        PUBLIC_BFF_URL: `http://${reached}:4000`,
      });
  });

  it('name every invalid variable', () => {
    const wrong = { ORDERS_PORT: '65536', SANDBOX: 'false', DATABASE_URL: 'mysql://a', ENCRYPTION_KEY: 'c2hvcnQ=' };
    expect(() => parseSettings(wrong))
      .to.throw(SettingsError)
      .and.satisfy(({ message }: Error) => Object.keys(wrong).every((name) => message.includes(name)));
    for (const address of ['temporal', '127.0.0.1:', '127.0.0.1:65536'])
      expect(() => parseTemporalSettings({ TEMPORAL_ADDRESS: address }), address).to.throw(/TEMPORAL_ADDRESS/);
    expect(() => parseTemporalSettings({ TEMPORAL_TLS_CERT: 'cert.pem' })).to.throw(/TEMPORAL_TLS_KEY/);
    expect(() => parseTemporalSettings({ TEMPORAL_BUILD_ID: 'of today' })).to.throw(/TEMPORAL_BUILD_ID/);
  });

  it('encrypt what goes to Temporal in production, except on this machine', () => {
    const { NODE_ENV } = productionSettings;
    const of = (given: Record<string, string>) => parseTemporalSettings({ NODE_ENV, ...given }).connection;
    const TEMPORAL_ADDRESS = 'temporal.internal:7233';
    expect(() => of({ TEMPORAL_ADDRESS })).to.throw(/TEMPORAL_ADDRESS.*TLS/);
    for (const own of ['127.0.0.1:7233', 'localhost:7233'])
      expect(of({ TEMPORAL_ADDRESS: own })).to.deep.equal({ address: own });
    const address = TEMPORAL_ADDRESS;
    expect(of({ TEMPORAL_ADDRESS, TEMPORAL_TLS_CA: 'ca.pem' })).to.deep.equal({
      address,
      tls: { authoritiesFile: 'ca.pem' },
    });
    expect(of({ TEMPORAL_ADDRESS, TEMPORAL_API_KEY: 'key' })).to.deep.equal({ address, apiKey: 'key', tls: {} });
    expect(parseTemporalSettings({ TEMPORAL_ADDRESS }).connection).to.deep.equal({ address });
  });

  it('seal payloads for Temporal with keys that have ids, or not at all', () => {
    const key = Buffer.from('thirty-two bytes nobody else has').toString('base64');
    const of = (TEMPORAL_PAYLOAD_KEYS: string) => parseTemporalSettings({ TEMPORAL_PAYLOAD_KEYS }).payloadKeys;
    expect(of(`p1:${key}`)).to.deep.equal([{ id: 'p1', key }]);
    for (const none of ['', 'off']) expect(of(none), none).to.equal(undefined);
    for (const wrong of ['on', key, `p1:${key},`]) expect(() => of(wrong), wrong).to.throw(/TEMPORAL_PAYLOAD_KEYS/);
  });

  it('take two of each shared secret, separated by a comma, each long enough', () => {
    const [first, second] = ['the-first-of-the-secrets', 'the-second-of-the-secrets'];
    for (const name of ['PAYMENT_GATEWAY_WEBHOOK_SECRET', 'PLATFORM_APP_SECRET', 'INTERNAL_API_SECRET'] as const) {
      const of = (text: string) => parseSettings({ ...productionSettings, [name]: text })[name];
      expect(of(first)).to.deep.equal([first]);
      expect(of(`${first}, ${second}`)).to.deep.equal([first, second]);
      for (const wrong of [`${first},`, `${first},short`, `${first},${second},${first}x`])
        expect(() => of(wrong), wrong).to.throw(SettingsError, name);
      expect(() => of(`${first},${parseSettings({})[name][0]}`)).to.throw(SettingsError, name);
    }
    for (const wrong of ['0', '1.5', 'many'])
      expect(() => parseSettings({ ORDERS_MAX_OPEN_HOLDS: wrong }), wrong).to.throw(
        SettingsError,
        'ORDERS_MAX_OPEN_HOLDS',
      );
  });

  it('demand of each service its own secrets in production, and read no other’s', () => {
    const { ENCRYPTION_KEY, ...others } = secrets;
    for (const [service, own] of Object.entries(secretsOf)) {
      const given = Object.fromEntries(Object.entries(others).filter(([name]) => own.some((one) => one === name)));
      const environment = {
        ...productionSettings,
        ...Object.fromEntries(Object.keys(secrets).map((name) => [name, ''])),
      };
      const settings = parseFor({ ...environment, ...given, ENCRYPTION_KEY }, own);
      expect(
        Object.keys(settings).filter((name) => secretNames.some((one) => one === name)),
        service,
      ).to.have.members(own);
      for (const name of [...Object.keys(given), 'ENCRYPTION_KEY'])
        expect(() => parseFor({ ...environment, ...given, ENCRYPTION_KEY, [name]: '' }, own), name).to.throw(
          SettingsError,
          name,
        );
    }
    const { ENCRYPTION_KEY: _key, ...addressesAlone } = { ...productionSettings, ...secrets };
    expect(
      Object.keys(parseFor(addressesAlone)).filter((name) => secretNames.some((one) => one === name)),
    ).to.deep.equal([]);
  });

  it('require non-default secrets in production', () => {
    expect(parseSettings(productionSettings).EMBED_ALLOWED_ORIGINS).to.deep.equal([]);
    const [{ key: ENCRYPTION_KEY }] = parseSettings({}).ENCRYPTION_KEYS;
    const defaults: Record<string, unknown> = { ...parseSettings({}), ENCRYPTION_KEY };
    for (const name of Object.keys(secrets))
      for (const value of [undefined, '', String(defaults[name])])
        expect(() => parseSettings({ ...productionSettings, [name]: value }), name).to.throw(SettingsError, name);
  });

  it('reject secrets that can be guessed in production, the second of two as well', () => {
    const guessable = ['aaaaaaaaaaaaaaaa', 'abababababababababab', '1234567'.repeat(3)];
    for (const name of Object.keys(secrets).filter((one) => one !== 'ENCRYPTION_KEY'))
      for (const value of guessable)
        expect(() => parseSettings({ ...productionSettings, [name]: value }), `${name} ${value}`).to.throw(
          SettingsError,
          name,
        );
    const repeated = Buffer.alloc(32, 7).toString('base64');
    expect(() => parseSettings({ ...productionSettings, ENCRYPTION_KEY: repeated })).to.throw(/ENCRYPTION_KEY/);
    const second = { PAYMENT_GATEWAY_WEBHOOK_SECRET: `${secrets.PLATFORM_APP_SECRET},${guessable[0]}` };
    expect(() => parseSettings({ ...productionSettings, ...second })).to.throw(/PAYMENT_GATEWAY_WEBHOOK_SECRET/);
    expect(parseSettings({ PLATFORM_APP_SECRET: 'aaaaaaaaaaaaaaaa' }).SANDBOX).to.equal(true);
  });

  it('take several keys with ids, of which the first encrypts, instead of the only one or before it', () => {
    const keyOf = (text: string) => Buffer.from(text.padEnd(32, '0123456789')).toString('base64');
    const [recent, old] = [keyOf('the recent one'), keyOf('the old one')];
    const { ENCRYPTION_KEY: only, ...others } = productionSettings;
    const of = (given: Record<string, string>) => parseSettings({ ...others, ...given }).ENCRYPTION_KEYS;
    const ENCRYPTION_KEYS = `2026-11:${recent}, old_1:${old}`;
    const named = [
      { id: '2026-11', key: recent },
      { id: 'old_1', key: old },
    ];
    expect(of({ ENCRYPTION_KEYS })).to.deep.equal(named);
    expect(of({ ENCRYPTION_KEY: only })).to.deep.equal([{ id: null, key: only }]);
    expect(of({ ENCRYPTION_KEYS, ENCRYPTION_KEY: only })).to.deep.equal([...named, { id: null, key: only }]);
    const [{ key: development }] = parseSettings({}).ENCRYPTION_KEYS;
    const wrongOnes = [recent, `a:${recent},`, `a:${recent},a:${old}`, `a b:${recent}`, 'a:c2hvcnQ=', `a:b:${recent}`];
    for (const wrong of [...wrongOnes, `a:${recent},b:${development}`, `a:${Buffer.alloc(32, 7).toString('base64')}`])
      expect(() => of({ ENCRYPTION_KEYS: wrong }), wrong).to.throw(SettingsError, 'ENCRYPTION_KEYS');
    expect(() => of({ ENCRYPTION_KEYS, ENCRYPTION_KEY: development })).to.throw(SettingsError, 'ENCRYPTION_KEY:');
  });

  it('require every address of others and of our own in production, so that none is the sandbox’s', () => {
    expect(parseSettings(productionSettings)).to.include(productionAddresses);
    for (const name of Object.keys(productionAddresses))
      expect(() => parseSettings({ ...productionSettings, [name]: '' }), name).to.throw(SettingsError, name);
    expect(() => parseSettings({ NODE_ENV: 'production', ...secrets }))
      .to.throw(SettingsError)
      .and.satisfy(({ message }: Error) =>
        ['SANDBOX', ...Object.keys(productionAddresses)].every((name) => message.includes(name)),
      );
  });

  it('require https in production, except on this machine', () => {
    const names = [...Object.keys(productionAddresses), 'AI_BASE_URL', 'FILES_URL'];
    for (const name of names) {
      const of = (value: string) => () => parseSettings({ ...productionSettings, [name]: value });
      for (const outside of ['http://platform.example', 'http://127.0.0.1.example', 'http://0.0.0.0:4001'])
        expect(of(outside), `${name} ${outside}`).to.throw(SettingsError, name);
      for (const own of ['http://127.0.0.1:4001', 'http://localhost:4001', 'http://[::1]:4001'])
        expect(of(own), `${name} ${own}`).to.not.throw();
    }
    const internal = { BACKEND_URL: 'http://backend:4001', ORDERS_URL: 'http://orders:4002' };
    expect(parseSettings({ ...productionSettings, ...internal, INTERNAL_HTTP: 'allow' })).to.include(internal);
    const others = { ...productionSettings, INTERNAL_HTTP: 'allow', PLATFORM_BASE_URL: 'http://platform.example' };
    expect(() => parseSettings(others)).to.throw(/PLATFORM_BASE_URL/);
  });

  it('reject the sandbox in production, by default as well', () => {
    for (const SANDBOX of ['on', ''])
      expect(() => parseSettings({ ...productionSettings, SANDBOX })).to.throw(SettingsError, 'SANDBOX');
  });

  it('reject demonstration data in production, which seeds none without being told', () => {
    expect(() => parseSettings({ ...productionSettings, DEMO: 'on' })).to.throw(SettingsError, 'DEMO');
    for (const DEMO of ['off', '']) expect(parseSettings({ ...productionSettings, DEMO }).DEMO, DEMO).to.equal(false);
    expect(parseSettings({ DEMO: 'off' }).DEMO).to.equal(false);
    expect(() => parseSettings({ DEMO: 'true' })).to.throw(SettingsError, 'DEMO');
  });

  it('give the services the addresses of backend and orders, derived in development alone', () => {
    const apart = { BACKEND_URL: 'https://backend.internal/', ORDERS_URL: 'http://orders.internal:8080' };
    expect(parseSettings(apart)).to.include({
      BACKEND_URL: 'https://backend.internal',
      ORDERS_URL: 'http://orders.internal:8080',
    });
  });

  it('leave images to the sandbox in development, and to nobody in production unless encrypted', () => {
    const of = (given: Record<string, string | undefined>) => parseSettings(given).FILES_URL;
    const production = productionSettings;
    expect(of({ SANDBOX_PORT: '5010' })).to.equal('http://127.0.0.1:5010/files');
    for (const off of [{ FILES_URL: 'off' }, { SANDBOX: 'off' }, production]) expect(of(off)).to.equal(null);
    for (const address of ['https://files.example/images', 'http://127.0.0.1:9000', 'http://localhost:9000'])
      expect(of({ ...production, FILES_URL: `${address}/` })).to.equal(address);
    for (const wrong of ['http://files.example', 'ftp://files.example', 'https://files.example/?a=b', 'on'])
      expect(() => of({ ...production, FILES_URL: wrong }), wrong).to.throw(SettingsError, 'FILES_URL');
  });

  const addresses = {
    DATABASE_URL: 'postgres://owner:o@db.internal/platform?sslmode=verify-full',
    DATABASE_URL_BFF: 'postgres://bff:one@db.internal/platform?sslmode=verify-full',
    DATABASE_URL_BACKEND: 'postgres://outreach:two@db.internal/platform?sslmode=verify-full',
    DATABASE_URL_ORDERS: 'postgres://orders:three@db.internal/platform?sslmode=verify-full',
  };

  it('derive the roles’ addresses in development', () => {
    const { DATABASE_URL } = addresses;
    expect(parseSettings({ DATABASE_URL }, ['DATABASE_URL_BACKEND'])).to.include({
      DATABASE_URL_BACKEND: 'postgres://outreach:outreach@db.internal/platform?sslmode=verify-full',
    });
    expect(parseSettings(addresses, databaseAddresses)).to.include(addresses);
  });

  it('require a process’s own addresses in production, with non-default passwords', () => {
    const production = productionSettings;
    for (const name of databaseAddresses) {
      expect(parseSettings({ ...production, [name]: addresses[name] }, [name])).to.include({ [name]: addresses[name] });
      const development = parseSettings({}, [name])[name];
      for (const value of [undefined, '', development])
        expect(() => parseSettings({ ...production, ...addresses, [name]: value }, [name]), name).to.throw(
          SettingsError,
          name,
        );
    }
    for (const sslmode of ['', '?sslmode=disable', '?sslmode=require', '?sslmode=no-verify']) {
      const unverified = { DATABASE_URL_BFF: `postgres://bff:one@db.internal/platform${sslmode}` };
      expect(() => parseSettings({ ...production, ...unverified }, ['DATABASE_URL_BFF'])).to.throw(/verify-full/);
    }
    const here = { DATABASE_URL_BFF: 'postgres://bff:one@127.0.0.1:5432/platform' };
    expect(parseSettings({ ...production, ...here }, ['DATABASE_URL_BFF'])).to.include(here);
    expect(() => parseSettings({ NODE_ENV: 'production' }, roleAddresses))
      .to.throw(SettingsError)
      .and.satisfy(({ message }: Error) =>
        [...Object.keys(secrets), ...roleAddresses].every((name) => message.includes(name)),
      );
  });
});
