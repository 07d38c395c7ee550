import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import { createOutreachActivities } from '../index.ts';
import { eventHandlers } from '../inbox/handlers/index.ts';
import { handleBatch } from '../inbox/batch.ts';
import { rows } from '#db/database.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import { ROWS_AT_ONCE } from '#db/outreach/retention/expired-rows.ts';
import { readResults } from '#db/outreach/clicks/results.ts';
import { retryFailed } from '#commands/outreach/sends/retry-failed.ts';
import type { RetentionSettings } from '#domain/retention.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { moveSend } from '#test/support/outreach/earlier-send.ts';
import { seedSend, seedTenant } from '#test/support/outreach/rows.ts';
import { testDeps, testEncryption } from '#test/support/services/outreach-flows.ts';

const DAY = 86_400_000;

describe('A15: what has been kept for as long as its retention', () => {
  const database = useDatabase('outreach');
  const now = new Date('2026-06-01T01:05:00Z');
  const days = (count: number) => new Date(now.getTime() - count * DAY);
  let deps: ReturnType<typeof testDeps>;

  before(() => {
    deps = testDeps(database, 'http://127.0.0.1:1');
  });
  after(() => deps.close());

  const activities = (settings: Partial<RetentionSettings> = {}) =>
    createOutreachActivities({ ...deps, settings: { ...deps.settings, ...settings } });
  const run = <T>(work: () => Promise<T>): Promise<T> => new MockActivityEnvironment().run(work);
  async function deleteExpired(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const batch = await run(() => activities().deleteExpiredBatch({ now: now.toISOString() }));
      deleted += batch.deleted;
      if (!batch.more) return deleted;
    }
  }

  /** Rows of one tenant on both sides of each limit, in the partition of what has none of its own. */
  async function seedAges(tenantId: string, integrationId: string, campaignId: string): Promise<void> {
    await rows(
      database,
      `with ages as (select * from (values ('young', 0), ('old', 1)) as a(age, over)),
        e as (insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, partition, payload,
            occurred_at, received_at, status)
          select :integrationId, age, :tenantId, 'contact.updated', 0, '{}', now(), :events::timestamptz - over * interval '1 second',
            'processed' from ages),
        k as (insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, message_index,
            campaign_id, event_id, clicked_at)
          select :tenantId, 't', 'c-' || age, 'n', 0, 0, :campaignId, age, :timeline::timestamptz - over * interval '1 second'
          from ages),
        v as (insert into conversation (tenant_id, session_id, campaign_id, contact_id, opened_at)
          select :tenantId, age, :campaignId, 'c-' || age, :timeline::timestamptz - over * interval '1 second' from ages),
        f as (insert into contact_event select :tenantId, 'sn-1', 'c', age, 'contact.followed',
          :timeline::timestamptz - over * interval '1 second' from ages)
      insert into audit_log (audit_id, tenant_id, at, actor, action, object_type, object_id)
      select :tenantId || age, :tenantId, :audit::timestamptz - over * interval '1 second', 'u1', 'tag.create', 'tag', age
      from ages`,
      { tenantId, integrationId, campaignId, events: days(90), timeline: days(400), audit: days(1095) },
    );
  }

  const kept = async (table: string, column: string, tenantId: string): Promise<string[]> =>
    await database(table).where({ tenant_id: tenantId }).orderBy(column).pluck(column);

  it('is deleted from where months have no partition, and nothing younger; results stay', async () => {
    const tenant = await seedTenant(database, testEncryption);
    const { tenantId } = tenant;
    const { campaignId } = await seedSend(database, tenantId, { chunks: [1], status: 'completed' });
    await seedAges(tenantId, tenant.tenantIntegrationId, campaignId);
    const results = () =>
      readResults(database, tenantId, { id: campaignId, messages: [], messagesBy: null, variants: null });
    const before = await results();
    expect(before?.clicks.total).to.equal(2);
    expect(await deleteExpired()).to.equal(5);
    expect(await kept('event_inbox', 'event_id', tenantId)).to.deep.equal(['young']);
    expect(await kept('click_attribution', 'event_id', tenantId)).to.deep.equal(['young']);
    expect(await kept('conversation', 'session_id', tenantId)).to.deep.equal(['young']);
    expect(await kept('contact_event', 'event_id', tenantId)).to.deep.equal(['young']);
    expect(await kept('audit_log', 'object_id', tenantId)).to.deep.equal(['young']);
    expect(await results()).to.deep.equal(before);
  });

  it('includes recipients, of whom nobody can be sent to again then', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    const seed = async (chunks: number[], at: Date) => {
      const send = await seedSend(database, tenantId, { chunks, status: 'failed' });
      await database('broadcast_task').where({ campaign_id: send.campaignId }).update({ status: 'rejected' });
      return { ...send, dispatchId: await moveSend(database, send.dispatchId, at) };
    };
    const old = await seed([1000, 1000, 1000, 1000, 1000, 500], days(401));
    const young = await seed([2], days(399));
    // More than one statement deletes, of a send that held somebody back.
    await rows(
      database,
      `insert into audience_drift (dispatch_id, change, contact_id, reason)
       select :dispatchId, 'added', 'd' || n, 'tag_added' from generate_series(1, :many::int) as n`,
      { dispatchId: old.dispatchId, many: ROWS_AT_ONCE + 1 },
    );
    for (const { dispatchId } of [old, young])
      await database('dispatch_control').insert({ dispatch_id: dispatchId, part: 0, contact_ids: ['held'] });
    expect(await deleteExpired()).to.equal(6 + ROWS_AT_ONCE + 1 + 1);
    expect(await database('audience_drift').where({ dispatch_id: old.dispatchId })).to.deep.equal([]);
    expect(await database('dispatch_control').pluck('dispatch_id')).to.deep.equal([young.dispatchId]);
    const left = async (dispatchId: string) =>
      (await database('dispatch_recipient').where({ dispatch_id: dispatchId }).pluck('contact_id')).length;
    expect([await left(old.dispatchId), await left(young.dispatchId)]).to.deep.equal([0, 2]);
    const retry = (id: string) =>
      retryFailed(database, { tenantId, userId: 'u1', requestId: null }, id, { idempotencyKey: null, now, asked: [] });
    expect(await retry(old.campaignId).then(String, ({ code }) => code)).to.equal('invalid_state');
    expect((await retry(young.campaignId)).dispatch?.number).to.equal(2);
  });

  const clickOf = (eventId: string, taskId: string, integrationId: string) => ({
    tenantIntegrationId: integrationId,
    eventId,
    eventType: 'notice.clicked' as const,
    occurredAt: now.toISOString(),
    serviceNumberId: 'sn-1',
    payload: JSON.stringify({
      taskId,
      noticeId: 'n',
      contactId: 'c0-1',
      serviceNumberId: 'sn-1',
      clickedAt: now.toISOString(),
      actionIndex: 0,
      action: { type: 'Postback', label: 'Buy', data: null },
    }),
  });

  it('includes what a late click would be counted against: it changes no results', async () => {
    const { tenantId, tenantIntegrationId } = await seedTenant(database, testEncryption);
    const clicks: Record<string, number | undefined> = {};
    for (const [name, at] of [
      ['old', days(401)],
      ['young', days(399)],
    ] as const) {
      const { campaignId } = await seedSend(database, tenantId, { chunks: [1], status: 'completed' });
      await database('broadcast_task')
        .where({ campaign_id: campaignId })
        .update({ status: 'completed', task_id: name, submitted_at: at });
      await storeEvents(database, [clickOf(`click-${name}`, name, tenantIntegrationId)], 1, now);
      await handleBatch(database, 0, eventHandlers, now, days(400));
      clicks[name] = (
        await readResults(database, tenantId, { id: campaignId, messages: [], messagesBy: null, variants: null })
      )?.clicks.total;
    }
    expect(clicks).to.deep.equal({ old: 0, young: 1 });
    expect(await kept('event_inbox', 'status', tenantId)).to.deep.equal(['processed', 'processed']);
  });

  it('is dropped by the month, with the months to come added', async () => {
    const turned = await run(() => activities().turnMonths({ now: '2020-01-15T00:00:00Z' }));
    expect(turned.added).to.include.members(['event_inbox 2020-01-01', 'audit_log 2020-03-01']);
    expect(turned.dropped).to.deep.equal([]);
    const later = await run(() => activities().turnMonths({ now: '2021-03-15T00:00:00Z' }));
    expect(later.dropped).to.include.members(['event_inbox 2020-03-01', 'click_attribution 2020-01-01']);
    expect(later.dropped).to.not.include.members(['click_attribution 2020-02-01']);
    expect(later.dropped.filter((name) => name.startsWith('audit_log'))).to.deep.equal([]);
    expect(later.kept).to.deep.equal([]);
  });
});
