import { expect } from 'chai';
import { roleAddresses, SettingsError } from '../../domain/settings.ts';
import { parseStartSettings } from './settings.ts';

const production = {
  NODE_ENV: 'production',
  PLATFORM_APP_SECRET: 'a-secret-of-our-own-1',
  IDENTITY_CLIENT_SECRET: 'a-secret-of-our-own-2',
  PAYMENT_GATEWAY_KEY: 'a-secret-of-our-own-3',
  PAYMENT_GATEWAY_WEBHOOK_SECRET: 'a-secret-of-our-own-4',
  INTERNAL_API_SECRET: 'a-secret-of-our-own-5',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
};

describe('settings of the start', () => {
  it('give the services the roles of its own PostgreSQL, in production with passwords drawn for it', () => {
    const { settings, embeddedPostgres, environment } = parseStartSettings({
      ...production,
      DATABASE_URL_BFF: 'postgres://bff:given@127.0.0.1:6000/outreach_platform',
      EMBEDDED_POSTGRES_PORT: '6000',
    });
    expect(embeddedPostgres).to.deep.equal({ port: 6000 });
    for (const name of roleAddresses) expect(environment[name]).to.equal(settings[name]);
    expect(new URL(settings.DATABASE_URL_BFF).password).to.equal('given');
    const { username, password, host } = new URL(settings.DATABASE_URL_ORDERS);
    expect([username, host]).to.deep.equal(['orders', '127.0.0.1:6000']);
    expect(password.length).to.be.greaterThan(30);
    expect(new URL(settings.DATABASE_URL_BACKEND).password).to.not.equal(password);
  });

  it('ask in production for the roles of a PostgreSQL that is not its own', () => {
    expect(() => parseStartSettings({ ...production, DATABASE_URL: 'postgres://owner:o@db.internal/platform' }))
      .to.throw(SettingsError)
      .and.satisfy(({ message }: Error) => roleAddresses.every((name) => message.includes(name)));
  });
});
