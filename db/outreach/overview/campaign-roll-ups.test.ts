import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Results } from '#domain/api/campaign.ts';
import { bound, fact, type Fact, messages, start } from '#test/support/outreach/campaign-facts.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedSend, seedTenant, type TestSend } from '#test/support/outreach/rows.ts';
import { firstRow, rows } from '#db/database.ts';
import { closeConversations, storeConversations } from '../clicks/conversations.ts';
import { type AttributedClick, storeClicks } from '../clicks/attribution.ts';
import { findCampaign } from '../campaigns/campaigns.ts';
import { readOverview } from './overview.ts';
import { readResults } from '../clicks/results.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { timesOf } from '#test/support/extent.ts';

describe('the outcomes of a campaign', () => {
  const test = useTestDatabase();
  const database = useDatabase('outreach', { on: test });

  interface World {
    tenantId: string;
    sends: TestSend[];
    tagIds: string[];
  }

  /** One campaign for each of two service numbers. */
  async function seedWorld(): Promise<World> {
    const { tenantId } = await seedTenant(database, testEncryption);
    const sends: TestSend[] = [];
    for (const serviceNumberId of ['sn-1', 'sn-2']) {
      const send = await seedSend(database, tenantId, { chunks: [1], messages });
      await database('campaign').where({ campaign_id: send.campaignId }).update({ service_number_id: serviceNumberId });
      sends.push(send);
    }
    const tagIds = ['x', 'y'].map((name) => `${name}-${tenantId}`);
    for (const tag_id of tagIds)
      await database('tag').insert({
        tag_id,
        tenant_id: tenantId,
        service_number_id: 'sn-1',
        name: tag_id,
        source: 'app_smart',
        kind: 'permanent',
        status: 'active',
      });
    return { tenantId, sends, tagIds };
  }

  const campaignOf = ({ sends }: World, index: number) => sends[index]?.campaignId ?? '';
  const at = (minutes: number) => new Date(start + minutes * 60_000);

  const clickOf = (world: World, drawn: Extract<Fact, { kind: 'click' }>): AttributedClick => ({
    tenantId: world.tenantId,
    campaignId: campaignOf(world, drawn.campaign),
    taskId: `task-${campaignOf(world, drawn.campaign)}`,
    contactId: `c-${drawn.contact}`,
    noticeId: `n-${drawn.card}`,
    arm: null,
    messageCase: null,
    actionIndex: drawn.action,
    messageIndex: drawn.card,
    bizEventCode: drawn.code,
    eventId: `e-${drawn.event}`,
    clickedAt: at(drawn.minute),
  });

  /** A batch of facts, in one transaction as a drain stores them. */
  const store = (world: World, facts: Fact[]) =>
    database.transaction(async (transaction) => {
      const { tenantId, tagIds } = world;
      await storeClicks(
        transaction,
        facts.flatMap((each) => (each.kind === 'click' ? [clickOf(world, each)] : [])),
        new Date(),
      );
      for (const each of facts) {
        if (each.kind === 'opened')
          await storeConversations(
            transaction,
            [
              {
                tenantId,
                sessionId: `s-${each.session}`,
                reasonId: campaignOf(world, each.campaign),
                sourceId: null,
                serviceNumberId: 'sn-1',
                contactId: `c-${each.contact}`,
                channel: null,
                openedAt: at(each.minute),
              },
            ],
            new Date(),
          );
        if (each.kind === 'closed')
          await closeConversations(transaction, [
            { tenantId, sessionId: `s-${each.session}`, closedAt: new Date(), durationSeconds: 1, messageCount: 1 },
          ]);
        if (each.kind === 'tagged')
          await transaction('tag_assignment')
            .insert({
              tenant_id: tenantId,
              tag_id: tagIds[each.tag],
              contact_id: `c-${each.contact}`,
              assigned_at: at(each.minute),
              source_campaign_id: each.byHand ? null : campaignOf(world, each.campaign),
            })
            .onConflict()
            .ignore();
        if (each.kind === 'untagged')
          await transaction('tag_assignment')
            .where({ tag_id: tagIds[each.tag], contact_id: `c-${each.contact}` })
            .delete();
      }
    });

  /** The expected result, computed row by row. */
  async function counted(
    tenantId: string,
    campaignId: string,
  ): Promise<Pick<Results, 'clicks' | 'conversations' | 'tagged'>> {
    const of = <Row>(sql: string) => rows<Row>(database, sql, { tenantId, campaignId });
    const clicks = `from (select *, coalesce(message_index, 1) as card from click_attribution
      where tenant_id = :tenantId and campaign_id = :campaignId) k`;
    const distinct = `count(*) as clicks, count(distinct contact_id) as unique_contacts`;
    const [totals] = await of<Pick<Results['clicks'], 'total' | 'repeats' | 'uniqueContacts'>>(
      `select count(*) as total, coalesce(sum(repeats), 0) as repeats, count(distinct contact_id) as unique_contacts ${clicks}`,
    );
    const byAction = await of<Results['clicks']['byAction'][number]>(
      `select card as message_index, action_index, ${distinct} ${clicks} group by 1, 2 order by 1, 2`,
    );
    const byBizEventCode = await of<Results['clicks']['byBizEventCode'][number]>(
      `select biz_event_code, ${distinct} ${clicks} where biz_event_code is not null group by 1 order by 2 desc, 1`,
    );
    const series = await of<{ at: Date; clicks: number }>(
      `select date_trunc('hour', clicked_at, 'UTC') as at, count(*) as clicks ${clicks} group by 1 order by 1`,
    );
    const [conversations] = await of<Results['conversations']>(
      `select count(*) as opened, count(closed_at) as closed from conversation where tenant_id = :tenantId and campaign_id = :campaignId`,
    );
    const tagged = await of<Results['tagged'][number]>(
      `select tag_id, count(*) as contacts from tag_assignment
       where tenant_id = :tenantId and source_campaign_id = :campaignId group by 1 order by 2 desc, 1`,
    );
    if (!totals || !conversations) throw new Error('An aggregate returned no row');
    const label = (index: number, action: number) => {
      const message = messages[index];
      return message?.type === 'buttons' ? (message.actions[action]?.label ?? '') : '';
    };
    return {
      clicks: {
        ...totals,
        byAction: byAction.map((row) => ({ ...row, label: label(row.messageIndex, row.actionIndex) })),
        byBizEventCode,
        series: series.map((row) => ({ ...row, at: row.at.toISOString() })),
      },
      conversations,
      tagged,
    };
  }

  async function expectResults({ tenantId, sends }: World): Promise<void> {
    for (const { campaignId } of sends) {
      const plain = await counted(tenantId, campaignId);
      const results = await readResults(database, tenantId, {
        id: campaignId,
        messages,
        messagesBy: null,
        variants: null,
      });
      expect(results).to.deep.include(plain);
      expect(await findCampaign(database, tenantId, campaignId)).to.include({
        clickedContacts: plain.clicks.uniqueContacts,
      });
    }
  }

  async function expectOverview({ tenantId }: World, bounds: [number, number, number]): Promise<void> {
    const [previousFrom, from, to] = bounds.toSorted((one, other) => one - other).map((each) => new Date(each)) as [
      Date,
      Date,
      Date,
    ];
    for (const serviceNumberId of [undefined, 'sn-1', 'sn-2']) {
      const period = { previousFrom, from, to, timeZone: 'UTC' };
      const { figures, lastCampaigns } = await readOverview(database, { tenantId, serviceNumberId }, period, to);
      const twice = (table: string, campaignId: string, instant: string) =>
        firstRow(
          database,
          `select count(*) filter (where ${instant} >= :from) as current, count(*) filter (where ${instant} < :from) as previous
         from ${table} join campaign c on c.campaign_id = ${table}.${campaignId}
         where c.tenant_id = :tenantId and (:serviceNumberId::text is null or c.service_number_id = :serviceNumberId)
           and ${instant} >= :previousFrom and ${instant} < :to`,
          { tenantId, serviceNumberId: serviceNumberId ?? null, previousFrom, from, to },
        );
      expect(figures.conversationsOpened).to.deep.equal(await twice('conversation', 'campaign_id', 'opened_at'));
      expect(figures.conversions).to.deep.equal(await twice('tag_assignment', 'source_campaign_id', 'assigned_at'));
      for (const { campaignId, funnel } of lastCampaigns) {
        const { clicks, conversations, tagged } = await counted(tenantId, campaignId);
        expect(funnel).to.include({
          clickedContacts: clicks.uniqueContacts,
          conversations: conversations.opened,
          conversions: tagged.reduce((sum, { contacts }) => sum + contacts, 0),
        });
      }
    }
  }

  it('match the rows, however often and in whatever order their events arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fact, { maxLength: 12 }), { maxLength: 5 }),
        fc.array(fc.tuple(bound, bound, bound), { minLength: 1, maxLength: 2 }),
        async (batches, looks) => {
          const world = await seedWorld();
          for (const batch of batches) await store(world, batch);
          await expectResults(world);
          for (const bounds of looks) await expectOverview(world, bounds);
        },
      ),
      { numRuns: timesOf(12, 25) },
    );
  });

  it('count a contact once even if its clicks arrive at two drains concurrently', async () => {
    const world = await seedWorld();
    const click = (action: number): Fact => ({
      kind: 'click',
      campaign: 0,
      contact: 1,
      minute: action,
      card: null,
      action,
      code: 'buy',
      event: action,
    });
    const blocked = `select from pg_locks where not granted and locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`;
    const waits = () => eventually('the second waits', async () => (await rows(database, blocked, {})).length === 1);
    let second: Promise<void> | undefined;
    await database.transaction(async (transaction) => {
      await storeClicks(transaction, [clickOf(world, click(0) as Extract<Fact, { kind: 'click' }>)], new Date());
      second = store(world, [click(1)]);
      await Promise.race([second, waits()]);
    });
    await second;
    await expectResults(world);
    const results = await readResults(database, world.tenantId, {
      id: campaignOf(world, 0),
      messages,
      messagesBy: null,
      variants: null,
    });
    expect(results?.clicks).to.include({ total: 2, uniqueContacts: 1 });
  });
});
