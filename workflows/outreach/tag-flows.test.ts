import { expect } from 'chai';
import { handleBatch } from '#activities/outreach/inbox/batch.ts';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { firstRow, rows } from '#db/database.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import { updateTag } from '#commands/outreach/tags/update-tag.ts';
import { testDeps, testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedSend, seedTenant, type TestSend, type TestTenant } from '#test/support/outreach/rows.ts';
import { backtest, readRule, readTag, seedRule, seedTag, taggedContacts } from '#test/support/outreach/rules.ts';
import type { ExpireTemporaryTagsResult } from '../contracts/expire-temporary-tags.ts';
import type { ScanNoResponseResult } from '../contracts/scan-no-response.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { useJumpingWorker } from '#test/support/fixtures/outreach.ts';

const dayMs = 86_400_000;

describe('tags and time', () => {
  const database = useDatabase('outreach');
  const worker = useJumpingWorker(() => testDeps(database, 'http://127.0.0.1:1'));
  let tenant: TestTenant;
  let tagId: string;

  beforeEach(async () => {
    // Leftovers of earlier tests must not be due here: their tenants are gone.
    await rows(database, `update tenant_integration set status = 'UNINSTALLED'`, {});
    tenant = await seedTenant(database, testEncryption);
    tagId = await seedTag(database, tenant.tenantId);
  });

  const scan = () => worker.run<ScanNoResponseResult>('scanNoResponse');
  const expire = () => worker.run<ExpireTemporaryTagsResult>('expireTemporaryTags');
  const clock = async () => new Date(await worker.environment.currentTimeMs());
  const later = (time: Date, ms: number) => new Date(time.getTime() + ms);

  /** A campaign whose sub-task is completed now, on the skipping clock. */
  async function finished(chunks = [3]): Promise<TestSend & { finishedAt: Date }> {
    const send = await seedSend(database, tenant.tenantId, { chunks });
    const finishedAt = await clock();
    await rows(
      database,
      `update broadcast_task set status = 'completed', finished_at = :finishedAt, task_id = 'task-' || key
       where campaign_id = :campaignId`,
      { finishedAt, campaignId: send.campaignId },
    );
    return { ...send, finishedAt };
  }

  async function click(send: TestSend, contactId: string, at: Date, eventId: string): Promise<void> {
    const payload = JSON.stringify({
      taskId: `task-${send.keys[0]}`,
      noticeId: 'n1',
      actionIndex: 0,
      action: { type: 'Url', url: 'https://shop.example/more' },
      contactId,
      clickedAt: at.toISOString(),
    });
    const { tenantIntegrationId } = tenant;
    const occurredAt = at.toISOString();
    const event = { tenantIntegrationId, eventId, occurredAt, serviceNumberId: 'sn-1', payload };
    await storeEvents(database, [{ ...event, eventType: 'notice.clicked' }], 1, await clock());
  }
  const handle = async () => void (await handleBatch(database, 0, eventHandlers, await clock()));
  const rule = (more: object = {}) =>
    seedRule(database, tenant.tenantId, {
      triggerEvent: 'no_response_for_N_days',
      days: 2,
      targetTagId: tagId,
      ...more,
    });
  const tagged = () => taggedContacts(database, tagId);

  it('S0-TR5: trigger no_response_for_N_days: fires after the days, not before, and records its origin', async () => {
    const ruleId = await rule();
    const send = await finished();
    await worker.environment.sleep(2 * dayMs - 60_000);
    expect(await scan()).to.deep.equal({ scanned: 0, tagged: 0 });
    await worker.environment.sleep(120_000);
    expect(await scan()).to.deep.equal({ scanned: 1, tagged: 3 });
    expect(await tagged()).to.deep.equal(['c0-1', 'c0-2', 'c0-3']);
    const origin = await firstRow(
      database,
      `select distinct source_rule_id as "ruleId", source_rule_version as version, source_campaign_id as "campaignId",
         source_task_id as "taskId", source_event_id as "eventId" from tag_assignment where tag_id = :tagId`,
      { tagId },
    );
    const { campaignId } = send;
    expect(origin).to.deep.equal({ ruleId, version: 1, campaignId, taskId: `task-${send.keys[0]}`, eventId: null });
    expect(await scan()).to.deep.equal({ scanned: 0, tagged: 0 });
    const { hitCount, lastExecutedAt } = await readRule(database, tenant.tenantId, ruleId);
    expect(hitCount).to.equal(3);
    expect(lastExecutedAt?.getTime()).to.be.closeTo((await clock()).getTime(), 600_000);
    expect(await readTag(database, tagId)).to.deep.equal({ status: 'active', contactCount: 3 });
  });

  it('S0-TR5: a reply just before N days suppresses it, one just after does not; a conversation counts, too', async () => {
    const ruleId = await rule();
    const send = await finished();
    const cutOff = later(send.finishedAt, 2 * dayMs);
    await worker.environment.sleep(2 * dayMs + 120_000);
    await click(send, 'c0-1', later(cutOff, -1000), 'before');
    await click(send, 'c0-2', later(cutOff, 1000), 'after');
    await handle();
    await rows(
      database,
      `insert into conversation (tenant_id, session_id, campaign_id, contact_id, opened_at)
       values (:tenantId, 's1', :campaignId, 'c0-3', :openedAt)`,
      { tenantId: tenant.tenantId, campaignId: send.campaignId, openedAt: later(cutOff, -5000) },
    );
    expect(await scan()).to.deep.equal({ scanned: 1, tagged: 1 });
    expect(await tagged()).to.deep.equal(['c0-2']);
    const past = await backtest(database, tenant.tenantId, ruleId, await clock());
    expect(past).to.deep.equal({ events: 1, contacts: 1, contactIds: ['c0-2'] });
  });

  it('does not fire while events up to the cut-off are unhandled; late ones change nothing', async () => {
    const ruleId = await rule();
    const send = await finished();
    await worker.environment.sleep(2 * dayMs + 60_000);
    await click(send, 'c0-1', later(send.finishedAt, dayMs), 'waiting');
    expect(await scan()).to.deep.equal({ scanned: 0, tagged: 0 });
    await handle();
    expect(await scan()).to.deep.equal({ scanned: 1, tagged: 2 });
    await click(send, 'c0-2', later(send.finishedAt, dayMs), 'late');
    await click(send, 'c0-2', later(send.finishedAt, dayMs), 'late');
    await handle();
    await scan();
    expect(await tagged()).to.deep.equal(['c0-2', 'c0-3']);
    expect((await readRule(database, tenant.tenantId, ruleId)).hitCount).to.equal(2);
  });

  it('waits for possible replies to its campaign, not for clicks whose task is unknown', async () => {
    const ruleId = await rule();
    const send = await finished();
    const other = await finished();
    await worker.environment.sleep(2 * dayMs + 60_000);
    const inTime = later(send.finishedAt, dayMs);
    // Clicks of a task that stays unknown, and of one that becomes known only after they were tried.
    const forget = { task_id: null, status: 'unknown' };
    const found = { task_id: `task-${send.keys[0]}`, status: 'completed' };
    await database('broadcast_task').where({ key: send.keys[0] }).update(forget);
    await click({ ...send, keys: ['nobody'] }, 'c0-1', inTime, 'orphan');
    await click(send, 'c0-2', inTime, 'early');
    await handle();
    expect(await database('event_inbox').where({ tenant_id: tenant.tenantId }).pluck('status')).to.deep.equal([
      'stored',
      'stored',
    ]);
    await database('broadcast_task').where({ key: send.keys[0] }).update(found);
    expect(await scan()).to.deep.equal({ scanned: 1, tagged: 3 });
    expect(await database('no_response_scan').where({ rule_id: ruleId }).pluck('task_key')).to.deep.equal(other.keys);
    await database('tag_assignment').where({ tag_id: tagId }).delete();
    await rows(database, 'update event_inbox set next_attempt_at = received_at', {});
    await handle();
    expect(await scan()).to.deep.equal({ scanned: 1, tagged: 2 });
    expect(await tagged()).to.deep.equal(['c0-1', 'c0-3']);
  });

  it('fires for completed sub-tasks only, of the campaign and condition named by the rule', async () => {
    const send = await finished([1, 1]);
    const other = await finished([1]);
    await rows(database, `update broadcast_task set status = 'failed' where key = :key`, { key: send.keys[1] ?? '' });
    const byCondition = await seedTag(database, tenant.tenantId);
    const matchCondition = { field: 'campaignId' as const, op: 'ne' as const, value: other.campaignId };
    await rule({ campaignId: send.campaignId });
    await rule({ matchCondition, targetTagId: byCondition });
    const elsewhere = await seedTag(database, tenant.tenantId, { serviceNumberId: 'sn-2' });
    await rule({ targetTagId: elsewhere });
    await rule({ status: 'paused' });
    await worker.environment.sleep(3 * dayMs);
    await scan();
    expect(await tagged()).to.deep.equal(['c0-1']);
    expect(await taggedContacts(database, byCondition)).to.deep.equal(['c0-1']);
    expect(await taggedContacts(database, elsewhere)).to.deep.equal([]);
    const campaigns = await rows(
      database,
      'select distinct source_campaign_id as id from tag_assignment where tenant_id = :tenantId',
      { tenantId: tenant.tenantId },
    );
    expect(campaigns).to.deep.equal([{ id: send.campaignId }]);
  });

  it('continues in batches until nothing is left', async () => {
    await rule();
    await finished(Array.from({ length: 120 }, () => 2));
    await worker.environment.sleep(3 * dayMs);
    expect(await scan()).to.deep.equal({ scanned: 120, tagged: 240 });
    expect(await readTag(database, tagId)).to.deep.equal({ status: 'active', contactCount: 240 });
  });

  it('temporary tags expire through the daily workflow, and a later expiresAt revives them', async () => {
    const start = await clock();
    const soon = await seedTag(database, tenant.tenantId, { expiresAt: later(start, dayMs) });
    const others = await seedTag(database, tenant.tenantId, { expiresAt: later(start, 3 * dayMs) });
    expect(await expire()).to.deep.equal({ expired: 0 });
    await worker.environment.sleep(dayMs + 1000);
    expect(await expire()).to.deep.equal({ expired: 1 });
    expect((await readTag(database, soon))?.status).to.equal('expired');
    expect((await readTag(database, others))?.status).to.equal('active');
    const author = { tenantId: tenant.tenantId, userId: 'u1', requestId: null };
    const expiresAt = later(await clock(), dayMs).toISOString();
    const revived = await updateTag(database, author, soon, { patch: { expiresAt }, now: await clock() });
    expect(revived.status).to.equal('active');
    expect(await expire()).to.deep.equal({ expired: 0 });
    await worker.environment.sleep(5 * dayMs);
    expect(await expire()).to.deep.equal({ expired: 2 });
  });

  it('many tags expire in batches', async () => {
    await rows(
      database,
      `insert into tag (tag_id, tenant_id, service_number_id, name, source, kind, status, expires_at)
       select gen_random_uuid(), :tenantId, 'sn-1', 'T' || n, 'app_manual', 'temporary', 'active', :at
       from generate_series(1, 1100) as n`,
      { tenantId: tenant.tenantId, at: await clock() },
    );
    await worker.environment.sleep(1000);
    expect(await expire()).to.deep.equal({ expired: 1100 });
  });
});
