import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import type { BffDatabase } from '#db/bff/database.ts';
import { beginRotation } from './begin-rotation.ts';
import { claimRotation } from './claim-rotation.ts';
import { commitRotation } from './commit-rotation.ts';

describe('the rotation of a secret', () => {
  const connection = useDatabase('bff');
  const database: BffDatabase = { connection, encryption: testEncryption };

  async function begun(id: string) {
    await connection('tenant_integration').insert({
      tenant_integration_id: id,
      platform_tenant_id: id,
      status: 'ACTIVE',
      secret_encrypted: testEncryption.encrypt('old', id),
      webhook_url: 'http://bff.example/webhook',
    });
    const rotation = { tenantIntegrationId: id, newSecret: 'new', graceSeconds: 60, expiresInMs: 60_000 };
    const started = await beginRotation(database, rotation);
    if (started.kind !== 'begun') throw new Error(started.kind);
    return started.number;
  }
  const expire = (id: string) =>
    connection('secret_rotation')
      .where({ tenant_integration_id: id })
      .update({ expires_at: new Date(0) });
  async function secretOf(id: string): Promise<string> {
    const row = await connection('tenant_integration').where({ tenant_integration_id: id }).first('secret_encrypted');
    return testEncryption.decrypt(row.secretEncrypted, id);
  }

  it('takes effect before its caller gives up on it', async () => {
    const number = await begun('in-time');
    expect(await claimRotation(database, 'in-time', number)).to.include({ newSecret: 'new', first: true });
    expect(await commitRotation(database, 'in-time', number)).to.be.instanceOf(Date);
    expect(await secretOf('in-time')).to.equal('new');
  });

  it('neither reaches the backend nor takes effect afterwards', async () => {
    const number = await begun('late');
    await claimRotation(database, 'late', number);
    await expire('late');
    expect(await claimRotation(database, 'late', number)).to.equal(null);
    expect(await commitRotation(database, 'late', number)).to.equal(null);
    expect(await secretOf('late')).to.equal('old');
  });

  it('is not that of an uninstalled integration, nor another one', async () => {
    const number = await begun('gone');
    expect(await commitRotation(database, 'gone', number + 1)).to.equal(null);
    await connection('tenant_integration').where({ tenant_integration_id: 'gone' }).update({ status: 'UNINSTALLED' });
    expect(await commitRotation(database, 'gone', number)).to.equal(null);
    expect(await secretOf('gone')).to.equal('old');
  });
});
