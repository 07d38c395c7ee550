import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { recordAccepted } from '#commands/outreach/sends/ledger/outcomes.ts';
import { eventCommand, inboxOf, seedAccepted } from '#test/support/outreach/inbox-events.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { readTasks, seedSend, seedTenant, type TestSend, type TestTenant } from '#test/support/outreach/rows.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';

describe('clicks', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  let inbox: ReturnType<typeof inboxOf>;

  before(async () => {
    inbox = inboxOf(database);
  });
  beforeEach(async () => {
    await rows(database, 'delete from event_inbox', {});
    tenant = await seedTenant(database, testEncryption);
  });

  const clicked = (send: TestSend, more: object = {}) =>
    eventCommand(tenant, 'notice.clicked', {
      taskId: `task-${send.keys[0]}`,
      noticeId: 'n1',
      actionIndex: 0,
      action: {
        type: 'Postback',
        data: JSON.stringify({
          campaignId: send.campaignId,
          subTaskKey: send.keys[0],
          messageIndex: 0,
          bizEventCode: 'buy',
        }),
      },
      contactId: 'c0-1',
      clickedAt: '2026-03-01T10:00:00Z',
      ...more,
    });
  const clicks = (campaignId: string) =>
    rows<{ contactId: string; messageIndex: number | null; bizEventCode: string | null; repeats: number }>(
      database,
      `select contact_id, message_index, biz_event_code, repeats
       from click_attribution where campaign_id = :campaignId order by contact_id, notice_id, action_index`,
      { campaignId },
    );

  it('are attributed once each; further events of the same button are repeats', async () => {
    const send = await seedAccepted(database, tenant);
    const url = { actionIndex: 1, action: { type: 'Url', url: 'https://shop.example/more' } };
    await inbox.store(clicked(send), clicked(send), clicked(send, { contactId: 'c0-2' }), clicked(send, url));
    await inbox.handle();
    await inbox.store(clicked(send));
    await inbox.handle();
    expect(await clicks(send.campaignId)).to.deep.equal([
      { contactId: 'c0-1', messageIndex: 0, bizEventCode: 'buy', repeats: 2 },
      { contactId: 'c0-1', messageIndex: 0, bizEventCode: null, repeats: 0 },
      { contactId: 'c0-2', messageIndex: 0, bizEventCode: 'buy', repeats: 0 },
    ]);
  });

  it('count as of their receipt where the platform’s clock is ahead of ours', async () => {
    const send = await seedAccepted(database, tenant);
    await inbox.store(clicked(send, { clickedAt: '9999-01-01T00:00:00Z' }));
    await inbox.handle();
    const found = await rows(
      database,
      `select k.clicked_at = e.received_at as clamped from click_attribution k join event_inbox e using (tenant_id, event_id)
       where k.campaign_id = :campaignId`,
      { campaignId: send.campaignId },
    );
    expect(found).to.deep.equal([{ clamped: true }]);
  });

  it('wait for their task, and become due as soon as the platform has accepted it', async () => {
    const send = await seedSend(database, tenant.tenantId, { chunks: [1] });
    const { tenantId, campaignId, keys } = send;
    const key = keys[0] ?? '';
    await rows(database, `update broadcast_task set status = 'submitting', submitting_by = 'me' where key = :key`, {
      key,
    });
    await inbox.store(clicked(send));
    await inbox.handle();
    expect(await inbox.states(tenant)).to.deep.equal([['stored', `task:task-${key}`]]);
    expect((await inbox.handle()).taken).to.equal(0);
    const accept = { taskId: `task-${key}`, estimatedRecipientCount: 1, status: 'sending' as const };
    const submission = { tenantId, campaignId, key, owner: 'me', now: new Date() };
    await recordAccepted(database, submission, { ...accept, nextPollAt: new Date(), pollIntervalMs: 100 });
    await inbox.handle();
    expect(await inbox.states(tenant)).to.deep.equal([['processed', null]]);
    expect(await clicks(campaignId)).to.have.length(1);
  });

  it('fail with the reason after 24 h without their task', async () => {
    const send = await seedAccepted(database, tenant);
    await inbox.store(clicked(send, { taskId: 'nobody', action: { type: 'Url' } }));
    await rows(database, `update event_inbox set received_at = now() - interval '25 hours'`, {});
    await inbox.handle();
    expect(await inbox.states(tenant)).to.deep.equal([['failed', 'There was no task:nobody within 24 hours']]);
  });

  it('wake those waiting for the task of the unknown sub-task that they name', async () => {
    const send = await seedSend(database, tenant.tenantId, { chunks: [1] });
    await database('broadcast_task').where({ key: send.keys[0] }).update({ status: 'unknown' });
    const url = { action: { type: 'Url', url: 'https://shop.example/more' }, actionIndex: 1 };
    await inbox.store(clicked(send, url));
    await inbox.handle();
    expect(await clicks(send.campaignId)).to.have.length(0);
    await inbox.store(clicked(send));
    await inbox.handle();
    await inbox.handle();
    expect(await clicks(send.campaignId)).to.have.length(2);
  });

  it('resolve the unknown sub-task that they name', async () => {
    const send = await seedSend(database, tenant.tenantId, { chunks: [1, 1] });
    await rows(database, `update broadcast_task set status = 'unknown' where campaign_id = :campaignId`, {
      campaignId: send.campaignId,
    });
    await inbox.store(clicked(send, { taskId: 'found' }), clicked(send, { taskId: 'found', noticeId: 'n2' }));
    const { polls } = await inbox.handle();
    const tasks = await readTasks(database, send);
    expect(tasks.map(({ status, taskId }) => [status, taskId])).to.deep.equal([
      ['sending', 'found'],
      ['unknown', null],
    ]);
    expect([...polls.keys()]).to.deep.equal([send.campaignId]);
    expect(await clicks(send.campaignId)).to.have.length(2);
  });

  it('of test sends are not counted', async () => {
    const data = { campaignId: 'c', subTaskKey: 'test-1' };
    const send = await seedAccepted(database, tenant);
    await inbox.store(clicked(send, { taskId: 'x', action: { type: 'Postback', data } }));
    await inbox.handle();
    expect(await inbox.states(tenant)).to.deep.equal([['processed', null]]);
    expect(await clicks(send.campaignId)).to.deep.equal([]);
  });

  it('of another tenant match nothing', async () => {
    const send = await seedAccepted(database, tenant);
    tenant = await seedTenant(database, testEncryption);
    await inbox.store(clicked(send));
    await inbox.handle();
    expect(await inbox.states(tenant)).to.deep.equal([['stored', `task:task-${send.keys[0]}`]]);
    expect(await clicks(send.campaignId)).to.deep.equal([]);
  });
});
