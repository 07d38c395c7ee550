import { expect } from 'chai';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant, type TestSend } from '#test/support/outreach/rows.ts';
import { planRows } from '#test/support/servers/plan-rows.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { rows, type Transaction } from '#db/database.ts';
import { storeClicks } from '#db/outreach/clicks/attribution.ts';
import { storeConversations } from '#db/outreach/clicks/conversations.ts';
import { countSegment } from './counting.ts';

const serviceNumberId = 'sn-1';
const now = new Date();

describe('counting a segment', () => {
  const test = useTestDatabase();
  const db = useDatabase('outreach', { on: test });
  let tenantId: string;
  let send: TestSend;

  const meet = (from: number, to: number, serviceNumber = serviceNumberId) =>
    rows(
      db,
      `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
       select :tenantId, :serviceNumber, 'c' || n, 'following', :now from generate_series(:from::int, :to::int) as n`,
      { tenantId, serviceNumber, now, from, to },
    );

  beforeEach(async () => {
    ({ tenantId } = await seedTenant(db, testEncryption));
    send = await seedSend(db, tenantId, { chunks: [1] });
    await meet(1, 5000, 'sn-2');
    await meet(1, 5000);
    await test.connect('outreach', 'owner').raw('analyze contact_profile');
  });

  const clickOf = (contact: number) => ({
    tenantId,
    campaignId: send.campaignId,
    taskId: 'task',
    contactId: `c${contact}`,
    noticeId: `n${contact}`,
    arm: null,
    messageCase: null,
    actionIndex: 0,
    messageIndex: 0,
    bizEventCode: null,
    eventId: `e${contact}`,
    clickedAt: now,
  });
  const conversationOf = (contact: number) => ({
    tenantId,
    sessionId: `${tenantId} ${contact}`,
    reasonId: send.campaignId,
    sourceId: null,
    serviceNumberId,
    contactId: `c${contact}`,
    channel: null,
    openedAt: now,
  });
  const count = (transaction: Transaction) => {
    const campaigns = { campaignIds: [send.campaignId] };
    const segment = { any: [{ clicked: { campaigns } }, { not: { conversed: campaigns } }] };
    return countSegment(transaction, { tenantId, serviceNumberId }, segment, now);
  };
  const hits = async () => (await db.transaction(count)).parts.map(({ hitCount }) => hitCount);

  it('looks up those alone who were not known when they clicked or opened a conversation', async () => {
    await db.transaction(async (transaction) => {
      await storeClicks(transaction, [1, 2, 5001].map(clickOf), now);
      await storeConversations(transaction, [2, 3, 4, 5002].map(conversationOf), now);
    });
    expect(await hits(), 'all of it, clicked, not conversed, conversed').to.deep.equal([4998, 2, 4997, 3]);
    await meet(5001, 5002);
    expect(await hits()).to.deep.equal([4999, 3, 4998, 4]);
    const read = await planRows(db, 'contact_profile', count);
    for (const table of ['click_attribution', 'conversation'])
      await db.raw(`update ${table} x set contact_ordinal = p.ordinal from contact_profile p
        where p.service_number_id = 'sn-1' and x.contact_ordinal is null
          and (p.tenant_id, p.contact_id) = (x.tenant_id, x.contact_id)`);
    expect(read - (await planRows(db, 'contact_profile', count))).to.equal(2);
    expect(await hits()).to.deep.equal([4999, 3, 4998, 4]);
  });

  it('finds everybody who is known in an index, and not in the profiles', async () => {
    const { scanned, fetched } = await rowsRead(db, ['contact_profile'], count);
    expect(scanned).to.equal(0);
    expect(fetched).to.be.at.most(5000);
  });
});
