import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { listInboxEvents } from '#db/outreach/inbox/list.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { eventCommand, inboxOf, seedAccepted } from '#test/support/outreach/inbox-events.ts';
import { seedTenant, type TestSend, type TestTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';

describe('what an event is about', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  let send: TestSend;
  let now: Date;
  before(async () => {
    tenant = await seedTenant(database, testEncryption);
    send = await seedAccepted(database, tenant);
  });
  beforeEach(() => {
    now = new Date();
  });

  const inbox = () => inboxOf(database, () => now);
  const click = (eventId: string, taskId: string, more: object = {}) =>
    eventCommand(
      tenant,
      'notice.clicked',
      {
        taskId,
        noticeId: eventId,
        actionIndex: 0,
        action: { type: 'Postback', data: '' },
        contactId: 'c0-0',
        clickedAt: '2026-03-01T10:00:00Z',
        ...more,
      },
      { eventId },
    );
  const found = async (filter: { q?: string; campaignId?: string }) => {
    const { items } = await listInboxEvents(database, tenant.tenantId, { limit: 50, ...filter });
    return items.map(({ eventId }) => eventId).toSorted();
  };
  const stored = async (eventId: string) => {
    const [row] = await rows<{ attempts: number; status: string; nextAttemptAt: Date }>(
      database,
      'select attempts, status, next_attempt_at from event_inbox where event_id = :eventId',
      { eventId },
    );
    return row;
  };

  it('is found by its contact and its campaign, whether it was handled or failed', async () => {
    const [key = ''] = send.keys;
    await inbox().store(
      click('good', `task-${key}`),
      click('bad', `task-${key}`, { clickedAt: 'not a time' }),
      eventCommand(tenant, 'contact.entered', { contactId: 'c0-0', serviceNumberId: 'sn-1' }, { eventId: 'entered' }),
    );
    await inbox().handle();
    expect(await stored('bad')).to.include({ status: 'failed', attempts: 1 });
    expect(await found({ q: 'c0-0' })).to.deep.equal(['bad', 'entered', 'good']);
    expect(await found({ campaignId: send.campaignId })).to.deep.equal(['bad', 'good']);
    expect(await found({ campaignId: send.campaignId, q: 'bad' })).to.deep.equal(['bad']);
    expect(await found({ q: 'somebody-else' })).to.deep.equal([]);
  });

  it('is known of the closing of a conversation, which does not say whose it was', async () => {
    const open = { sessionId: 's-1', contactId: 'c0-1', entryReason: { id: send.campaignId } };
    const close = { sessionId: 's-1', closedAt: '2026-03-01T11:00:00Z', summary: { duration: 1, messageCount: 1 } };
    await inbox().store(
      eventCommand(tenant, 'session.created', open, { eventId: 'opened' }),
      eventCommand(tenant, 'session.closed', close, { eventId: 'closed' }),
    );
    await inbox().handle();
    expect(await found({ q: 'c0-1' })).to.deep.equal(['closed', 'opened']);
    expect(await found({ campaignId: send.campaignId })).to.include.members(['closed', 'opened']);
  });

  it('counts each attempt, and says when the next is due', async () => {
    await inbox().store(click('early', 'task-of-nobody'));
    for (const attempts of [1, 2, 3]) {
      await inbox().handle();
      const row = await stored('early');
      expect(row).to.include({ status: 'stored', attempts });
      expect(row?.nextAttemptAt.getTime()).to.be.greaterThan(now.getTime());
      now = new Date(row?.nextAttemptAt.getTime() ?? 0);
    }
    expect(await found({ q: 'c0-0' })).to.include('early');
  });
});
