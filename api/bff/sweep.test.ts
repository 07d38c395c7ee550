import { expect } from 'chai';
import { createNonce } from '#domain/signature.ts';
import {
  installBody,
  installed,
  newIntegration,
  signedCall,
  type TestIntegration,
} from '#test/support/services/bff.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { createLogger } from '../runtime/logger.ts';
import { sweep } from './sweep.ts';
import { useBff } from '#test/support/fixtures/services.ts';

describe('the sweep of the BFF', () => {
  const bff = useBff({ temporal: true });

  const run = (publicUrl = bff.url) =>
    sweep({
      database: bff.database,
      launch: bff.launch,
      publicUrl,
      eventDays: 90,
      logger: createLogger('test', 'silent'),
    });
  const statusOf = async (id: string) =>
    ((await bff.rows('tenant_integration').where({ tenant_integration_id: id }).first()) as { status: string }).status;
  const registeredOf = async ({ tenantIntegrationId }: TestIntegration): Promise<unknown[]> =>
    await bff.rows('embed_slot').where({ tenant_integration_id: tenantIntegrationId, status: 'registered' });
  const longAgo = new Date(Date.now() - 3_600_000);

  it('deletes webhook nonces after their seven days, never those of lifecycle calls', async () => {
    const [over, kept, forever] = [createNonce(), createNonce(), createNonce()];
    await bff.rows('nonce').insert([
      { tenant_integration_id: 'x', nonce: over, kept_until: longAgo },
      { tenant_integration_id: 'x', nonce: kept, kept_until: new Date(Date.now() + 60_000) },
      { tenant_integration_id: 'x', nonce: forever, kept_until: null },
    ]);
    await run();
    const left = (await bff.rows('nonce').where({ tenant_integration_id: 'x' })) as { nonce: string }[];
    expect(left.map(({ nonce }) => nonce.replaceAll('-', '')).sort()).to.deep.equal([kept, forever].sort());
  });

  it('deletes refused webhooks once events of their age are deleted', async () => {
    const { tenantIntegrationId, platformTenantId } = await installed(bff);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const refusal = (reason: string, at: Date) => ({
      platform_tenant_id: platformTenantId,
      minute: at,
      tenant_integration_id: tenantIntegrationId,
      reason,
      code: 'unauthorized',
      calls: 1,
      first_at: at,
      last_at: at,
    });
    await bff.rows('webhook_refusal').insert([refusal('signature', daysAgo(89)), refusal('nonce', daysAgo(91))]);
    await run();
    expect(await bff.rows('webhook_refusal').select('reason')).to.deep.equal([{ reason: 'signature' }]);
  });

  it('deletes sessions that have ended', async () => {
    const session = (token: string, over: object) => ({
      token_hash: Buffer.from(token),
      kind: 'cookie',
      platform_tenant_id: 't',
      user_id: 'u',
      name: 'n',
      roles: ['viewer'],
      created_at: longAgo,
      last_used_at: new Date(),
      expires_at: new Date(Date.now() + 60_000),
      ...over,
    });
    await bff
      .rows('session')
      .insert([
        session('good', {}),
        session('over', { expires_at: longAgo }),
        session('idle', { last_used_at: longAgo }),
        session('bearer', { kind: 'bearer', last_used_at: longAgo }),
      ]);
    await run();
    const left = (await bff.rows('session').where({ userId: 'u' })) as { tokenHash: Buffer }[];
    expect(left.map((row) => row.tokenHash.toString()).sort()).to.deep.equal(['bearer', 'good']);
  });

  it('continues an install and an uninstall whose workflows never started', async () => {
    const begun = newIntegration();
    await bff.rows('tenant_integration').insert({
      tenant_integration_id: begun.tenantIntegrationId,
      platform_tenant_id: begun.platformTenantId,
      status: 'PENDING',
      secret_encrypted: bff.database.encryption.encrypt(begun.secret, begun.tenantIntegrationId),
      webhook_url: `${bff.url}/webhook`,
      handshake: JSON.stringify({ tenant: { name: 'A', type: 'b' }, serviceNumbers: [] }),
      created_at: longAgo,
    });
    const ending = await installed(bff);
    await bff
      .rows('tenant_integration')
      .where({ tenant_integration_id: ending.tenantIntegrationId })
      .update({ uninstall_number: 1, lifecycle_count: 1, created_at: longAgo });
    await run();
    await eventually('installed', async () => (await statusOf(begun.tenantIntegrationId)) === 'ACTIVE');
    await eventually('uninstalled', async () => (await statusOf(ending.tenantIntegrationId)) === 'UNINSTALLED');
    // The slots are registered on their own; the next calls must not be mistaken for that.
    await eventually('the slots are registered', async () => (await registeredOf(begun)).length === 4);
    expect(bff.backend.integrations.get(begun.tenantIntegrationId)?.secret).to.equal(begun.secret);
    expect(bff.backend.integrations.get(ending.tenantIntegrationId)?.status).to.equal('UNINSTALLED');
  });

  it('reverts a rotation that was lost halfway', async () => {
    const integration = await installed(bff);
    const { tenantIntegrationId: id } = integration;
    const kept = bff.backend.integrations.get(id);
    if (kept) kept.secret = 'the new one';
    await bff.rows('tenant_integration').where({ tenant_integration_id: id }).update({ lifecycle_count: 1 });
    await bff.rows('secret_rotation').insert({
      tenant_integration_id: id,
      number: 1,
      new_secret_encrypted: bff.database.encryption.encrypt('the new one', id),
      rotated_at: longAgo,
      grace_seconds: 60,
      expires_at: longAgo,
      sent: true,
    });
    await run();
    await eventually('the previous secret is back', () => kept?.secret === integration.secret);
    await eventually('the rotation is over', async () => (await bff.rows('secret_rotation')).length === 0);
  });

  it('deletes the secrets of a tenant seven days after its uninstall; its later calls are answered as before', async () => {
    const [over, recent, active] = [await installed(bff), await installed(bff), await installed(bff)];
    const replaced = (id: string) => bff.database.encryption.encrypt('r'.repeat(40), id);
    const endedDaysAgo = ({ tenantIntegrationId: id }: TestIntegration, days: number) =>
      bff
        .rows('tenant_integration')
        .where({ tenant_integration_id: id })
        .update({
          status: 'UNINSTALLED',
          uninstall_number: 1,
          uninstalled_at: new Date(Date.now() - days * 86_400_000),
          replaced_secret_encrypted: replaced(id),
          replaced_accepted_until: longAgo,
        });
    await endedDaysAgo(over, 7.1);
    await endedDaysAgo(recent, 6.9);
    await run();
    const secretsOf = async ({ tenantIntegrationId: id }: TestIntegration) => {
      const row = await bff.rows('tenant_integration').where({ tenant_integration_id: id }).first();
      return [row.secretEncrypted, row.replacedSecretEncrypted].filter((text) => text !== null).length;
    };
    expect([await secretsOf(over), await secretsOf(recent), await secretsOf(active)]).to.deep.equal([0, 2, 1]);
    const answers = async (appSecret?: string) => {
      const options = appSecret === undefined ? {} : { appSecret };
      const { tenantIntegrationId } = over;
      const given: number[] = [];
      for (const [path, body] of [
        ['/uninstall', { tenantIntegrationId }],
        ['/update', { tenantIntegrationId, serviceNumbers: [] }],
        ['/rotate-secret', { tenantIntegrationId, newSecret: 'n'.repeat(40) }],
        ['/install', installBody(over)],
      ] as const)
        given.push((await signedCall(bff, path, over, body, options)).status);
      return given;
    };
    expect(await answers()).to.deep.equal([200, 410, 410, 410]);
    expect(await answers('another-application-secret-00001')).to.deep.equal([401, 401, 401, 401]);
    // A webhook has no signature but the tenant's, which nobody can check any more.
    expect((await signedCall(bff, '/webhook', over, {})).status).to.equal(401);
    expect((await signedCall(bff, '/webhook', recent, {})).status).to.equal(410);
  });

  it('sends a new address to platform and backend, once', async () => {
    await bff.rows('tenant_integration').update({ status: 'UNINSTALLED' });
    const integration = await installed(bff);
    await bff
      .rows('tenant_integration')
      .where({ tenant_integration_id: integration.tenantIntegrationId })
      .update({ installed_at: longAgo, webhook_url: 'http://former.example/webhook' });
    bff.platform.calls.length = 0;
    await run();
    await eventually('the slots are registered', () => bff.platform.calls.length === 1);
    const { slots } = (bff.platform.calls[0]?.body ?? { slots: [] }) as { slots: { endpointUrl: string }[] };
    expect(slots).to.have.length(4);
    expect(slots.every(({ endpointUrl }) => endpointUrl.startsWith(`${bff.url}/embed/`))).to.equal(true);
    await eventually('all of it is recorded', async () => (await registeredOf(integration)).length === 4);
    expect(bff.backend.integrations.get(integration.tenantIntegrationId)?.body).to.include({
      webhookUrl: `${bff.url}/webhook`,
    });
    await bff.rows('embed_slot').update({ changed_at: longAgo });
    await run();
    const row = (await bff
      .rows('tenant_integration')
      .where({ tenant_integration_id: integration.tenantIntegrationId })
      .first()) as { lifecycleCount: number };
    expect(row.lifecycleCount).to.equal(1);
  });

  it('finding 14: starts no second registration while one waits as long as the platform asked for', async () => {
    await bff.rows('tenant_integration').update({ status: 'UNINSTALLED' });
    const integration = await installed(bff);
    const { tenantIntegrationId } = integration;
    await bff
      .rows('tenant_integration')
      .where({ tenant_integration_id: tenantIntegrationId })
      .update({ installed_at: longAgo });
    bff.platform.calls.length = 0;
    bff.platform.behave(() => ({ status: 429, headers: { 'Retry-After': '3600' }, body: {} }));
    await run();
    await eventually('the platform has refused', async () => {
      const slots = (await bff.rows('embed_slot').where({ tenant_integration_id: tenantIntegrationId })) as {
        status: string;
      }[];
      return slots.length === 4 && slots.every(({ status }) => status === 'failed');
    });
    const told = bff.backend.of(/platform-pauses/).filter(({ method }) => method === 'POST');
    expect(told.map(({ path, json }) => [path, json['pausedMs']])).to.deep.equal([
      [`/internal/v1/platform-pauses/${tenantIntegrationId}`, 3_600_000],
    ]);
    await eventually('visibility shows it', () => bff.launch.isRegistering(tenantIntegrationId));
    await bff.rows('embed_slot').update({ changed_at: longAgo });
    await run();
    const { lifecycleCount } = (await bff
      .rows('tenant_integration')
      .where({ tenant_integration_id: tenantIntegrationId })
      .first()) as { lifecycleCount: number };
    expect(lifecycleCount).to.equal(1);
    expect(bff.platform.calls).to.have.length(1);
    bff.platform.behave(() => null);
  });

  it('A10: registers no slots in a pause that the platform asked the backend for', async () => {
    await bff.rows('tenant_integration').update({ status: 'UNINSTALLED' });
    bff.backend.behave(({ path }) =>
      path.includes('/platform-pauses/') ? { status: 200, body: { pausedMs: 3_600_000 } } : null,
    );
    const { tenantIntegrationId } = await installed(bff);
    const ofIntegration = { tenant_integration_id: tenantIntegrationId };
    await bff.rows('tenant_integration').where(ofIntegration).update({ installed_at: longAgo });
    bff.platform.calls.length = 0;
    await run();
    await eventually('the reason is shown', async () => {
      const slots = (await bff.rows('embed_slot').where(ofIntegration)) as { error: string | null }[];
      return slots.length === 4 && slots.every(({ error }) => error?.includes('called later'));
    });
    expect(bff.platform.calls).to.have.length(0);
    bff.backend.behave(() => null);
  });

  it('runs its other steps if one fails', async () => {
    const failing = { ...bff.launch, beginInstall: () => Promise.reject(new Error('Temporal is away')) };
    const pending = newIntegration();
    await bff.rows('tenant_integration').insert({
      tenant_integration_id: pending.tenantIntegrationId,
      platform_tenant_id: pending.platformTenantId,
      status: 'PENDING',
      secret_encrypted: 'x',
      webhook_url: 'x',
      created_at: longAgo,
    });
    const lines: string[] = [];
    const logger = createLogger('test', 'warn', { write: (line: string) => void lines.push(line) });
    await sweep({ database: bff.database, launch: failing, publicUrl: bff.url, eventDays: 90, logger });
    expect(lines.join('')).to.include('goOnWithLifecycle').and.include('Temporal is away');
    await bff.rows('tenant_integration').where({ tenant_integration_id: pending.tenantIntegrationId }).delete();
  });

  it('stores only protocol state: these tables and no others', async () => {
    const result = await bff.rows.raw<{ rows: { tableName: string }[] }>(
      `select table_name from information_schema.tables where table_schema = 'bff' order by 1`,
    );
    expect(result.rows.map((row) => row.tableName)).to.deep.equal([
      'api_key',
      'embed_slot',
      'knex_migrations',
      'knex_migrations_lock',
      'logout_token',
      'nonce',
      'recurring_run',
      'secret_rotation',
      'session',
      'tenant_integration',
      'tenant_mapping',
      'webhook_refusal',
    ]);
  });
});
