import { expect } from 'chai';
import { roleAddresses, SettingsError } from '#domain/settings/settings.ts';
import { productionSettings as production } from '#test/support/services/production-settings.ts';
import { parseStartSettings } from './settings.ts';

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

  it('put the UI of its own Temporal server 1000 ports above it, and tell the services where', () => {
    const given = parseStartSettings({ EMBEDDED_TEMPORAL_PORT: '7300' });
    expect(given.embeddedTemporal).to.deep.equal({ port: 7300, uiPort: 8300 });
    expect(given.environment.TEMPORAL_UI_URL).to.equal('http://127.0.0.1:8300');
    expect(parseStartSettings({}).embeddedTemporal).to.deep.equal({ port: 7233, uiPort: 8233 });
    const own = parseStartSettings({ EMBEDDED_TEMPORAL_PORT: '7300', TEMPORAL_UI_URL: 'http://localhost:9000' });
    expect(own.embeddedTemporal?.uiPort).to.equal(9000);
    expect(own.environment.TEMPORAL_UI_URL).to.equal('http://localhost:9000');
  });

  it('require, in production, the roles of a PostgreSQL that is not its own', () => {
    expect(() =>
      parseStartSettings({
        ...production,
        DATABASE_URL: 'postgres://owner:o@db.internal/platform?sslmode=verify-full',
      }),
    )
      .to.throw(SettingsError)
      .and.satisfy(({ message }: Error) => roleAddresses.every((name) => message.includes(name)));
  });
});
