import { expect } from 'chai';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { rows } from '#db/database.ts';
import { eventCommand, inboxOf } from '../support/outreach/inbox-events.ts';
import { readTasks } from '../support/outreach/rows.ts';
import { useBackend } from '../support/fixtures/services.ts';
import { type EventSite, openEventSite } from '../support/webhooks/event-site.ts';

const triggers = [
  ['click_attribution', 'click_attribution_told'],
  ['tag_assignment', 'tag_assignment_told'],
  ['broadcast_task', 'broadcast_task_became_unknown'],
  ['broadcast_task', 'broadcast_task_sent'],
  ['campaign', 'campaign_told'],
] as const;

describe('a tenant without a webhook', function () {
  this.timeout(120_000);
  const backend = useBackend();
  let site: EventSite;

  beforeEach(async () => {
    site = await openEventSite(backend);
  });
  afterEach(() => site.close());

  /** Rows that were written for webhooks, and statements that were sent, by a send of five sub-tasks with 40 clicks. */
  async function cost(): Promise<{ statements: number; written: number }> {
    const tables = ['outgoing_event', 'outgoing_event_part', 'outgoing_sent', 'delivery'];
    const written = async () => {
      const counts = tables.map((table) => `(select count(*) from ${table})`);
      const [sum] = await rows<{ n: number }>(backend.db, `select (${counts.join(' + ')})::int as n`, {});
      return sum?.n ?? 0;
    };
    const before = await written();
    let statements = 0;
    // Tokens of the platform's pace come several at once, as it happens.
    const asked = ({ sql }: { sql: string }) => void (statements += sql.includes('platform_pace') ? 0 : 1);
    const send = await site.seedSend({ chunks: [4, 4, 4, 4, 4] });
    const [inbox, lost] = [inboxOf(backend.db), send.keys[0]];
    site.platform.behave(({ route, headers }) =>
      route === 'A1' && headers['idempotency-key'] === lost ? 'reset' : null,
    );
    backend.db.on('query', asked);
    await site.submit(send);
    const task = (await readTasks(backend.db, send)).at(-1);
    await inbox.store(
      ...Array.from({ length: 40 }, (_, n) =>
        eventCommand(site.tenant, 'notice.clicked', {
          taskId: task?.taskId,
          noticeId: 'n',
          actionIndex: 0,
          action: { type: 'Postback', data: { campaignId: send.campaignId, subTaskKey: task?.key } },
          contactId: `k${n}`,
          serviceNumberId: 'sn-1',
          clickedAt: '2026-03-01T10:00:00Z',
        }),
      ),
    );
    await inbox.handle(eventHandlers);
    await site.due(send);
    await site.poll(send);
    backend.db.off('query', asked);
    return { statements, written: (await written()) - before };
  }

  const switched = async (to: 'disable' | 'enable') => {
    const owner = backend.database.connect('outreach', 'owner');
    for (const [table, trigger] of triggers) await owner.raw(`alter table ${table} ${to} trigger ${trigger}`);
  };

  it('pays nothing: no row is written, and no more statements are sent than without the triggers', async () => {
    await switched('disable');
    const bare = await cost();
    await switched('enable');
    const without = await cost();
    expect(without.written).to.equal(0);
    expect(without.statements).to.be.at.most(bare.statements);
    await site.configure();
    const told = await cost();
    // The count notices what a webhook costs: an event and a delivery each of unknown, sent and clicks, and one part.
    expect(told.written).to.be.at.least(8);
  });

  it('its events are not written for a tenant that has one', async () => {
    const other = await openEventSite(backend);
    try {
      await other.configure();
      await cost();
      const events = await rows(backend.db, 'select 1 from outgoing_event where tenant_id in (:a, :b)', {
        a: site.tenantId,
        b: other.tenantId,
      });
      expect(events).to.deep.equal([]);
    } finally {
      await other.close();
    }
  });
});
