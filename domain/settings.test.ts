import { expect } from 'chai';
import { parseTemporalSettings } from './temporal-settings.ts';
import { productionSecrets as secrets } from '../test/support/services/production-secrets.ts';
import { databaseAddresses, parseSettings, roleAddresses, SettingsError } from './settings.ts';

describe('settings', () => {
  it('have defaults for development, and treat an empty variable as absent', () => {
    const settings = parseSettings({ BFF_PORT: '', METRICS_HOST: '' });
    expect(settings).to.include({
      BFF_PORT: 4000,
      BACKEND_PORT: 4001,
      ORDERS_PORT: 4002,
      SANDBOX_PORT: 4010,
      METRICS_HOST: '127.0.0.1',
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

  it('take two secrets for callbacks, separated by a comma, each long enough', () => {
    const [first, second] = ['the-first-of-the-secrets', 'the-second-of-the-secrets'];
    const of = (text: string) =>
      parseSettings({ NODE_ENV: 'production', ...secrets, PAYMENT_GATEWAY_WEBHOOK_SECRET: text })
        .PAYMENT_GATEWAY_WEBHOOK_SECRET;
    expect(of(first)).to.deep.equal([first]);
    expect(of(`${first}, ${second}`)).to.deep.equal([first, second]);
    for (const wrong of [`${first},`, `${first},short`, `${first},${second},${first}x`])
      expect(() => of(wrong), wrong).to.throw(SettingsError, 'PAYMENT_GATEWAY_WEBHOOK_SECRET');
    const [development] = parseSettings({}).PAYMENT_GATEWAY_WEBHOOK_SECRET;
    expect(() => of(`${first},${development}`)).to.throw(SettingsError, 'PAYMENT_GATEWAY_WEBHOOK_SECRET');
    for (const wrong of ['0', '1.5', 'many'])
      expect(() => parseSettings({ ORDERS_MAX_OPEN_HOLDS: wrong }), wrong).to.throw(
        SettingsError,
        'ORDERS_MAX_OPEN_HOLDS',
      );
  });

  it('require non-default secrets in production', () => {
    expect(parseSettings({ NODE_ENV: 'production', ...secrets }).EMBED_ALLOWED_ORIGINS).to.deep.equal([]);
    const defaults = parseSettings({}) as unknown as Record<string, string>;
    for (const name of Object.keys(secrets))
      for (const value of [undefined, '', defaults[name]])
        expect(() => parseSettings({ NODE_ENV: 'production', ...secrets, [name]: value }), name).to.throw(
          SettingsError,
          name,
        );
  });

  const addresses = {
    DATABASE_URL: 'postgres://owner:o@db.internal/platform',
    DATABASE_URL_BFF: 'postgres://bff:one@db.internal/platform',
    DATABASE_URL_BACKEND: 'postgres://outreach:two@db.internal/platform',
    DATABASE_URL_ORDERS: 'postgres://orders:three@db.internal/platform',
  };

  it('derive the roles’ addresses in development', () => {
    const { DATABASE_URL } = addresses;
    expect(parseSettings({ DATABASE_URL }, ['DATABASE_URL_BACKEND'])).to.include({
      DATABASE_URL_BACKEND: 'postgres://outreach:outreach@db.internal/platform',
    });
    expect(parseSettings(addresses, databaseAddresses)).to.include(addresses);
  });

  it('require a process’s own addresses in production, with non-default passwords', () => {
    const production = { NODE_ENV: 'production', ...secrets };
    for (const name of databaseAddresses) {
      expect(parseSettings({ ...production, [name]: addresses[name] }, [name])).to.include({ [name]: addresses[name] });
      const development = parseSettings({}, [name])[name];
      for (const value of [undefined, '', development])
        expect(() => parseSettings({ ...production, ...addresses, [name]: value }, [name]), name).to.throw(
          SettingsError,
          name,
        );
    }
    expect(() => parseSettings({ NODE_ENV: 'production' }, roleAddresses))
      .to.throw(SettingsError)
      .and.satisfy(({ message }: Error) =>
        [...Object.keys(secrets), ...roleAddresses].every((name) => message.includes(name)),
      );
  });
});
