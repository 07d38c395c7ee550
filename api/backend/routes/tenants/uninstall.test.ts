import { once } from 'node:events';
import { expect } from 'chai';
import { createSweepActivities } from '#activities/outreach/sweep.ts';
import { SUBMISSION_STALE_MS } from '#activities/outreach/deps.ts';
import { rows } from '#db/database.ts';
import type { CredentialSource, PlatformGateway } from '#clients/platform/gateway.ts';
import { fixture } from '#test/support/fixtures/fixture.ts';
import { useBackend } from '#test/support/fixtures/services.ts';
import { recordingLauncher, testDeps } from '#test/support/services/outreach-flows.ts';
import { seedSend } from '#test/support/outreach/rows.ts';
import { startRecordingPlatform } from '#test/support/doubles/recording-platform.ts';
import { eventually } from '#test/support/time/eventually.ts';

describe('uninstalling at the backend', () => {
  const backend = useBackend();
  const platform = fixture(async () => {
    const value = await startRecordingPlatform();
    return { value, close: () => value.close() };
  });
  const deps = fixture(async () => {
    const value = testDeps(backend.db, platform.baseUrl, { encryption: backend.encryption });
    return { value, close: () => value.close() };
  });
  const uninstall = (tenantId: string) => backend.service('POST', `/tenant-integrations/ti-${tenantId}:uninstall`, {});

  const broadcast = {
    name: 'n',
    channels: ['default'],
    messages: [],
    audience: { type: 'contacts' as const, contactIds: ['c'] },
    schedule: { type: 'immediate' as const },
  };
  const source = { name: 'n', reason: { type: 'activity' as const, id: 'c', data: {} }, channels: [] };
  const task = { serviceNumberId: 'sn-1', taskId: 't-1' };
  const everyCall: [string, (gateway: PlatformGateway, by: CredentialSource) => Promise<{ kind: string }>][] = [
    ['A1', (gateway, by) => gateway.createBroadcast(by, { serviceNumberId: 'sn-1', key: 'k', broadcast })],
    ['A2', (gateway, by) => gateway.readTask(by, task)],
    ['A3', (gateway, by) => gateway.cancelTask(by, task)],
    ['F1', (gateway, by) => gateway.createEntrySource(by, { ...source, webhook: { url: 'http://x', events: [] } })],
    ['F2', (gateway, by) => gateway.updateEntrySource(by, 's-1', { name: 'n', reason: { data: {} }, expiresAt: null })],
    ['F3', (gateway, by) => gateway.endEntrySource(by, 's-1')],
  ];

  for (const [name, call] of everyCall) {
    it(`A12: waits for ${name} under way, and starts none afterwards`, async () => {
      const tenantId = `waits-${name}`;
      await backend.install(tenantId);
      // One source for a whole series of calls, as activities use it.
      const by = deps.pacing.credentials(tenantId);
      const answer = new AbortController();
      platform.behave(() => once(answer.signal, 'abort').then(() => null));
      const before = platform.calls.length;
      const underWay = call(deps.gateway, by);
      await eventually('the platform has received it', async () => platform.calls.length === before + 1);
      let answered = false;
      const uninstalling = uninstall(tenantId).then((response) => {
        answered = true;
        return response;
      });
      await eventually('the integration is marked', async () => {
        const row = await backend.db('tenant_integration').where({ tenant_id: tenantId }).first();
        return row.status === 'UNINSTALLED';
      });
      expect((await call(deps.gateway, by)).kind).to.equal('notSent');
      expect(answered).to.equal(false);
      answer.abort();
      await underWay;
      expect((await uninstalling).body).to.deep.equal({ status: 'UNINSTALLED' });
      expect((await call(deps.gateway, by)).kind).to.equal('notSent');
      expect(platform.calls).to.have.length(before + 1);
      expect(await backend.db('outbound_call')).to.deep.equal([]);
    });
  }

  it('A12: a call of a process that died is waited for no longer than a call may take', async () => {
    await backend.install('crashed');
    await rows(
      backend.db,
      `insert into outbound_call values (gen_random_uuid(), 'ti-crashed', now() - :ms * interval '1 millisecond')`,
      { ms: SUBMISSION_STALE_MS },
    );
    expect((await uninstall('crashed')).status).to.equal(200);
    expect(await backend.db('outbound_call')).to.deep.equal([]);
  });

  it('A12: after a rotation, the next call of a series signs with the new secret', async () => {
    await backend.install('rotated');
    const by = deps.pacing.credentials('rotated');
    const secretOf = async () => {
      const begun = await by.begin();
      if (!begun || !('end' in begun)) return null;
      await begun.end();
      return begun.current;
    };
    expect(await secretOf()).to.match(/^secret-of-rotated/);
    const body = { newSecret: 'n'.repeat(40), rotatedAt: '2026-01-01T00:00:00.000Z' };
    expect((await backend.service('POST', '/tenant-integrations/ti-rotated:rotate', body)).status).to.equal(200);
    expect(await secretOf()).to.equal('n'.repeat(40));
  });

  /** 10,000 campaigns that have ended long ago, with one sub-task each. */
  const seedPast = (tenantId: string) =>
    rows(
      backend.db,
      `with past as (
         insert into campaign (campaign_id, tenant_id, service_number_id, name, channels, messages, audience, schedule,
           status, dispatches, created_by, sent_at)
         select 'past-' || n, :tenantId, 'sn-1', 'Past', '{default}', '[]', '{"type":"contacts","contactIds":[]}',
           '{"type":"immediate"}', 'completed', 1, 'u1', now() from generate_series(1, 10000) n returning campaign_id
       ), sends as (
         insert into dispatch (dispatch_id, tenant_id, campaign_id, number, audience_count, audience_hash, excluded, created_by)
         select 'd-' || campaign_id, :tenantId, campaign_id, 1, 1, 'hash', '{}', 'u1' from past returning dispatch_id, campaign_id
       )
       insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count, task_id)
       select 'k-' || campaign_id, :tenantId, campaign_id, dispatch_id, 0, 'completed', 1, 't-' || campaign_id from sends`,
      { tenantId },
    );

  it('A12, finding 6: of 10,000 past campaigns none is looked at; the sweep ends the workflows of the others', async () => {
    await backend.install('old');
    await seedPast('old');
    const open = await seedSend(backend.db, 'old', { chunks: [2] });
    const polled = await seedSend(backend.db, 'old', { chunks: [2], status: 'completed' });
    await backend
      .db('broadcast_task')
      .where({ campaign_id: polled.campaignId })
      .update({ status: 'completed', task_id: 't', next_poll_at: new Date() });
    expect((await uninstall('old')).status).to.equal(200);
    expect(backend.flows.ended).to.deep.equal([]);
    expect((await uninstall('old')).status).to.equal(200);

    const expected = [
      `end:dispatch:${open.campaignId}:1`,
      `end:poll:${open.campaignId}:0`,
      `end:poll:${polled.campaignId}:0`,
    ];
    const failing = recordingLauncher();
    failing.end = () => Promise.reject(new Error('Temporal is away'));
    const sweepWith = (launcher: typeof failing) => createSweepActivities({ ...deps, launcher }).sweepOutreachRows();
    const failed = await sweepWith(failing).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    const launcher = recordingLauncher();
    await sweepWith(launcher);
    expect(launcher.asked.toSorted()).to.deep.equal(expected.toSorted());
    await sweepWith(launcher);
    expect(launcher.asked).to.have.length(3);
    const statuses = await backend.db('campaign').where({ tenant_id: 'old' }).distinct('status');
    expect(statuses.map(({ status }) => status).toSorted()).to.deep.equal(['cancelled', 'completed']);
    const task = await backend.db('broadcast_task').where({ campaign_id: open.campaignId }).first();
    expect(task.status).to.equal('pending');
  });
});
