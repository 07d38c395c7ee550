import { expect } from 'chai';
import { createNonce } from '#domain/signature.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { clickEvent } from '#test/support/outreach/webhook-events.ts';
import { installed, newIntegration, responseOf, signedCall } from '#test/support/services/bff.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { timesOf } from '#test/support/extent.ts';

interface Counted {
  reason: string;
  code: string;
  calls: number;
  lastBytes: number | null;
  lastEventId: string | null;
  lastEventType: string | null;
  lastDetail: string | null;
}

describe('webhooks that are refused', () => {
  const bff = useBff();

  async function rowsOf(platformTenantId: string): Promise<Counted[]> {
    return await bff.rows('webhook_refusal').where({ platform_tenant_id: platformTenantId }).orderBy('reason');
  }
  /** Calls may have fallen into two minutes. */
  const callsOf = (rows: Counted[], reason: string) =>
    rows.filter((row) => row.reason === reason).reduce((sum, { calls }) => sum + calls, 0);

  async function counted(platformTenantId: string, calls: number): Promise<Counted[]> {
    let rows: Counted[] = [];
    await eventually('counted', async () => {
      rows = await rowsOf(platformTenantId);
      return rows.reduce((sum, row) => sum + row.calls, 0) >= calls;
    });
    return rows;
  }

  async function list(tenantId: string, query = '', roles = ['viewer']) {
    const token = await bff.identity.token({ tenantId, roles });
    const headers = { authorization: `Bearer ${token}` };
    return responseOf(await fetch(`${bff.url}/api/v1/webhook-refusals${query}`, { headers }));
  }

  it('are counted by reason, and what a body names is kept only if its signature held', async () => {
    const integration = await installed(bff);
    const send = (body: unknown, options = {}) => signedCall(bff, '/webhook', integration, body, options);
    const event = clickEvent();
    const nonce = createNonce();
    const bad = { ...clickEvent(), data: { taskId: 4711 } };
    expect((await send(event, { nonce })).status).to.equal(200);
    const statuses = [
      await send(event, { secret: 'wrong' }),
      await send(event, { nonce }),
      await send(event, { nonce: nonce.toUpperCase() }),
      await send(bad),
      await send(null, { raw: '{' }),
      await send(null, { raw: 'x'.repeat(1_048_577) }),
    ].map(({ status }) => status);
    expect(statuses).to.deep.equal([401, 409, 401, 400, 400, 413]);

    const rows = await counted(integration.platformTenantId, 6);
    expect(
      rows.map(({ reason, code, calls, lastEventId }) => [reason, code, calls, lastEventId] as const),
    ).to.deep.equal([
      ['nonce', 'unauthorized', 1, null],
      ['nonce_replayed', 'nonce_replayed', 1, event.eventId],
      ['not_json', 'invalid_request', 1, null],
      ['schema', 'invalid_request', 1, bad.eventId],
      ['signature', 'unauthorized', 1, null],
      ['too_large', 'too_large', 1, null],
    ]);
    const schema = rows.find(({ reason }) => reason === 'schema');
    expect(schema).to.include({ lastEventType: 'notice.clicked', lastBytes: JSON.stringify(bad).length });
    expect(schema?.lastDetail).to.match(/^\/data\/taskId: ./);
    expect(rows.find(({ reason }) => reason === 'too_large')).to.include({ lastBytes: 1_048_577 });
  });

  it('say when the replaced secret was used too late, and when the integration is uninstalled', async () => {
    const integration = await installed(bff);
    const { tenantIntegrationId, platformTenantId, secret } = integration;
    const own = bff.rows('tenant_integration').where({ tenant_integration_id: tenantIntegrationId });
    const encrypt = (text: string) => bff.database.encryption.encrypt(text, tenantIntegrationId);
    await own.clone().update({
      secret_encrypted: encrypt('c'.repeat(40)),
      replaced_secret_encrypted: encrypt(secret),
      replaced_accepted_until: new Date(Date.now() - 1),
    });
    const event = clickEvent();
    expect((await signedCall(bff, '/webhook', integration, event)).status).to.equal(401);
    await own.clone().update({ status: 'UNINSTALLED' });
    const late = await signedCall(bff, '/webhook', integration, event, { secret: 'c'.repeat(40) });
    expect(late.status).to.equal(410);
    const rows = await counted(platformTenantId, 2);
    expect(rows.map(({ reason, lastEventId }) => [reason, lastEventId])).to.deep.equal([
      ['replaced_secret', null],
      ['uninstalled', event.eventId],
    ]);
  });

  it('are seen by their tenant alone, newest first and by reason', async () => {
    const [mine, other] = [await installed(bff), await installed(bff)];
    for (const integration of [mine, other])
      await signedCall(bff, '/webhook', integration, clickEvent(), { secret: 'wrong' });
    await signedCall(bff, '/webhook', mine, null, { raw: '[' });
    await counted(mine.platformTenantId, 2);
    await counted(other.platformTenantId, 1);
    const earlier = new Date(Date.now() - 3_600_000);
    await bff
      .rows('webhook_refusal')
      .where({ platform_tenant_id: mine.platformTenantId, reason: 'signature' })
      .update({ minute: earlier, last_at: earlier });

    const first = await list(mine.platformTenantId, '?limit=1');
    expect(first.status).to.equal(200);
    expect(first.body['items']).to.have.length(1);
    expect((first.body['items'] as object[])[0]).to.include({ reason: 'not_json', status: 400, calls: 1 });
    const rest = await list(mine.platformTenantId, `?limit=1&cursor=${String(first.body['nextCursor'])}`);
    expect(rest.body['nextCursor']).to.equal(null);
    expect((rest.body['items'] as object[])[0]).to.include({
      tenantIntegrationId: mine.tenantIntegrationId,
      reason: 'signature',
      code: 'unauthorized',
      status: 401,
      lastAt: earlier.toISOString(),
    });
    const filtered = await list(mine.platformTenantId, '?reason=signature');
    expect(filtered.body['items']).to.have.length(1);
    expect((await list(mine.platformTenantId, '?cursor=x')).status).to.equal(400);
    expect((await list(mine.platformTenantId, '', ['order_admin'])).status).to.equal(403);
  });

  it('make few rows, however many there are, and none if nobody knows their integration', async function () {
    this.timeout(120_000);
    const integration = await installed(bff);
    const stranger = newIntegration();
    const flood = timesOf(2000, 10_000);
    const before = Number((await bff.rows('webhook_refusal').count('* as rows').first())?.['rows']);
    for (let sent = 0; sent < flood; sent += 200) {
      await Promise.all(
        Array.from({ length: 200 }, (_, index) => {
          const sender = index % 4 === 0 ? newIntegration({ secret: stranger.secret }) : integration;
          const options = index % 2 === 0 ? { nonce: 'x' } : { secret: 'wrong' };
          return signedCall(bff, '/webhook', sender, {}, options);
        }),
      );
    }
    expect((await signedCall(bff, '/webhook', integration, clickEvent())).status).to.equal(200);
    const rows = await counted(integration.platformTenantId, (flood * 3) / 4);
    expect(callsOf(rows, 'signature')).to.equal(flood / 2);
    expect(callsOf(rows, 'nonce')).to.equal(flood / 4);
    const after = Number((await bff.rows('webhook_refusal').count('* as rows').first())?.['rows']);
    expect(after - before).to.equal(rows.length);
    // Two reasons, in each minute that the flood lasted.
    expect(rows.length).to.be.lessThan(20);
  });

  it('find their page by its index', async () => {
    const plan = await bff.database.connection.transaction(async (transaction) => {
      await transaction.raw('set local enable_seqscan = off');
      return await transaction.raw<{ rows: Record<string, string>[] }>(
        `explain select * from webhook_refusal where platform_tenant_id = 't'
         order by minute desc, tenant_integration_id desc, reason desc limit 51`,
      );
    });
    const lines = plan.rows.flatMap((row) => Object.values(row)).join('\n');
    expect(lines).to.include('Index Scan Backward').and.not.include('Sort');
  });
});
