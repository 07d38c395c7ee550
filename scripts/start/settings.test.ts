import { expect } from 'chai';
import { roleAddresses, SettingsError } from '../../domain/settings.ts';
import { productionSecrets } from '../../test/support/services/production-secrets.ts';
import { parseStartSettings } from './settings.ts';

const production = { NODE_ENV: 'production', ...productionSecrets };

describe('settings of the start', () => {
  it('give the services the roles of its own PostgreSQL, in production with generated passwords', () => {
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

  it('require, in production, the roles of a PostgreSQL that is not its own', () => {
    expect(() => parseStartSettings({ ...production, DATABASE_URL: 'postgres://owner:o@db.internal/platform' }))
      .to.throw(SettingsError)
      .and.satisfy(({ message }: Error) => roleAddresses.every((name) => message.includes(name)));
  });
});
