import { expect } from 'chai';
import { createNonce } from '#domain/signature.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import type { BffDatabase } from './database.ts';
import { lookUpCalls, sweepNonces, useNonces } from './nonces.ts';

describe('nonces', () => {
  const connection = useDatabase('bff');
  const database: BffDatabase = { connection, encryption: testEncryption };
  const of = (tenantIntegrationId: string, nonce = createNonce()) => ({ tenantIntegrationId, nonce });
  const isReplayed = async (call: ReturnType<typeof of>) => (await lookUpCalls(database, [call]))[0]?.replayed;

  it('are used once, by each integration for itself', async () => {
    const [first, other] = [of('ti-1'), of('ti-2')];
    expect(await isReplayed(first)).to.equal(false);
    expect(await useNonces(database, [first, first, other], 'webhook')).to.deep.equal([true, false, true]);
    expect(await useNonces(database, [first], 'forever')).to.deep.equal([false]);
    expect(await isReplayed(first)).to.equal(true);
    expect(await isReplayed({ ...first, tenantIntegrationId: 'ti-2' })).to.equal(false);
    expect(await useNonces(database, [{ ...first, tenantIntegrationId: 'ti-2' }], 'webhook')).to.deep.equal([true]);
  });

  it('are kept for seven days, those of lifecycle calls for ever', async () => {
    const [webhook, install] = [of('ti-3'), of('ti-3')];
    await useNonces(database, [webhook], 'webhook');
    await useNonces(database, [install], 'forever');
    await sweepNonces(database);
    expect([await isReplayed(webhook), await isReplayed(install)]).to.deep.equal([true, true]);
    await connection('nonce').update({ kept_until: connection.raw(`kept_until - interval '7 days'`) });
    await sweepNonces(database);
    expect([await isReplayed(webhook), await isReplayed(install)]).to.deep.equal([false, true]);
  });
});
