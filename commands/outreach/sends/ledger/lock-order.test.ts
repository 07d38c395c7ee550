import { expect } from 'chai';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { seedSend, seedTenant, type TestSend, type TestTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { rows, type Transaction } from '#db/database.ts';
import { uninstallIntegration } from '#commands/outreach/tenants/uninstall-integration.ts';
import { resolveSubTask } from '../resolve-sub-task.ts';
import { rejectPending } from './evidence.ts';
import { abandonSubmissions } from './abandon-submissions.ts';
import { pauseLate } from './pause-late.ts';
import {
  recordAccepted,
  recordPostponed,
  recordRejected,
  recordUnauthorized,
  recordUnknown,
  splitOffUnknownContacts,
} from './outcomes.ts';

describe('the order of locks', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;

  beforeEach(async () => {
    await rows(database, 'delete from event_inbox', {});
    tenant = await seedTenant(database, testEncryption);
  });

  const now = new Date();
  const soon = new Date(now.getTime() + 60_000);
  const author = () => ({ tenantId: tenant.tenantId, userId: 'u1', requestId: null });
  const isWaiting = async () =>
    (
      await rows(
        database,
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        {},
      )
    ).length > 0;

  /**
   * Holds the rows that `held` selects, until `operation` waits for them or has ended.
   * @returns which; fails if it keeps the rows of `free` from others then.
   */
  async function whileHeld(
    held: string,
    free: string[],
    operation: () => Promise<unknown>,
  ): Promise<'waits' | 'has ended'> {
    const holder: Transaction = await database.transaction();
    let ended: unknown = false;
    let running: Promise<unknown> = Promise.resolve();
    try {
      await holder.raw(`${held} for update`);
      running = operation().finally(() => (ended = true));
      running.catch(() => undefined);
      await eventually('the operation waits or has ended', async () => ended === true || (await isWaiting()));
      for (const sql of free) await holder.raw(`${sql} for update nowait`);
      return ended === true ? 'has ended' : 'waits';
    } finally {
      await holder.rollback();
      await running;
    }
  }

  const campaignRow = ({ campaignId }: TestSend) => `select 1 from campaign where campaign_id = '${campaignId}'`;
  const otherRows = ({ campaignId }: TestSend) => [
    `select 1 from broadcast_task where campaign_id = '${campaignId}'`,
    `select 1 from dispatch where campaign_id = '${campaignId}'`,
  ];
  const set = (send: TestSend, assignments: string) =>
    rows(database, `update broadcast_task set ${assignments} where campaign_id = :campaignId`, {
      campaignId: send.campaignId,
    });
  const submission = (send: TestSend) => ({ ...send, key: send.keys[0] ?? '', owner: 'me', now });
  const refused = { code: 'refused', message: 'no' };

  const operations: Record<string, (send: TestSend) => Promise<unknown>> = {
    'an A1 that is rejected': (send) => recordRejected(database, submission(send), refused),
    'an A1 whose outcome is unknown': (send) => recordUnknown(database, submission(send), 'no response'),
    'an A1 that is postponed': (send) =>
      recordPostponed(database, submission(send), { ...refused, failure: null, nextAttemptAt: soon }),
    'an A1 that is unauthorized': (send) => recordUnauthorized(database, submission(send), 'no'),
    'contacts that the platform does not know': (send) =>
      splitOffUnknownContacts(database, submission(send), { ...refused, contactIds: ['c0-1'] }),
    'abandoned submissions': (send) =>
      abandonSubmissions(database, { ...send, from: 0, to: 9, before: now, repeatable: false, now }),
    'an entry source that is refused': (send) => rejectPending(database, { ...send, ...refused, now }),
    'a send that is late': (send) => pauseLate(database, { ...send, startedBefore: soon, now }),
    'an operator who found that it was not sent': async (send) => {
      const outcome = { outcome: 'not_sent' as const };
      const { campaignId, keys } = send;
      return resolveSubTask(database, author(), {
        campaignId,
        key: keys[1] ?? '',
        outcome,
        submittedBefore: soon,
        now,
      });
    },
  };

  for (const [name, operation] of Object.entries(operations))
    it(`A3: ${name}: the campaign is locked before its sends and sub-tasks`, async () => {
      const send = await seedSend(database, tenant.tenantId, { chunks: [2, 2, 2], at: now });
      await set(
        send,
        `status = (array['submitting', 'unknown', 'pending'])[chunk + 1], submitting_by = 'me',
         submitting_since = case when chunk < 2 then now() - interval '1 hour' end`,
      );
      expect(await whileHeld(campaignRow(send), otherRows(send), () => operation(send))).to.equal('waits');
    });

  const clicked = (key: string) =>
    eventCommand(tenant, 'notice.clicked', {
      taskId: `task-${key}`,
      noticeId: 'n1',
      actionIndex: 0,
      action: { type: 'Postback', data: JSON.stringify({ subTaskKey: key, messageIndex: 0 }) },
      contactId: 'c0-1',
      clickedAt: now.toISOString(),
    });

  it('A3: a batch of clicks locks the campaigns in their order, whatever the order of the clicks', async () => {
    const inbox = inboxOf(database);
    const first = await seedSend(database, tenant.tenantId, { chunks: [1] });
    const second = await seedSend(database, tenant.tenantId, { chunks: [1] });
    for (const send of [first, second]) await set(send, `status = 'unknown'`);
    await inbox.store(clicked(second.keys[0] ?? ''));
    await inbox.store(clicked(first.keys[0] ?? ''));
    const free = [campaignRow(second), ...otherRows(second)];
    expect(await whileHeld(campaignRow(first), free, inbox.handle)).to.equal('waits');
  });

  it('A3: an uninstallation locks all campaigns in their order, then their sub-tasks', async () => {
    const ended = await seedSend(database, tenant.tenantId, { chunks: [1], status: 'completed' });
    const open = await seedSend(database, tenant.tenantId, { chunks: [1] });
    for (const send of [ended, open]) await set(send, `status = 'completed', next_poll_at = now()`);
    const uninstall = () =>
      uninstallIntegration(database, tenant.tenantIntegrationId, { reason: undefined, now, requestId: null });
    const free = [campaignRow(open), ...otherRows(open), ...otherRows(ended)];
    expect(await whileHeld(campaignRow(ended), free, uninstall)).to.equal('waits');
  });

  it('A3: nobody waits for an event that a batch has in hand and that becomes due', async () => {
    const inbox = inboxOf(database);
    const send = await seedSend(database, tenant.tenantId, { chunks: [1, 1] });
    const [first = '', second = ''] = send.keys;
    const { campaignId } = send;
    await inbox.store(clicked(first), clicked(second));
    await rows(database, `update event_inbox set waiting_for = 'task:' || (payload::jsonb ->> 'taskId')`, {});
    await set(send, `status = 'unknown', submitting_by = 'me'`);
    const events = 'select 1 from event_inbox';
    const free = [campaignRow(send), ...otherRows(send)];
    const found = { outcome: 'sent' as const, taskId: `task-${first}`, status: 'sending' as const };
    const resolve = () =>
      resolveSubTask(database, author(), { campaignId, key: first, outcome: found, submittedBefore: now, now });
    expect(await whileHeld(events, free, resolve)).to.equal('has ended');
    const accepted = { estimatedRecipientCount: 1, status: 'sending' as const, nextPollAt: now, pollIntervalMs: 100 };
    const accept = () =>
      recordAccepted(database, { ...submission(send), key: second }, { taskId: `task-${second}`, ...accepted });
    expect(await whileHeld(events, free, accept)).to.equal('has ended');
  });
});
