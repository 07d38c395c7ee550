import { expect } from 'chai';
import * as fc from 'fast-check';
import { rows } from '#db/database.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import { recordAccepted } from '#commands/outreach/sends/ledger/outcomes.ts';
import type { MatchCondition } from '#domain/rules/match-condition.ts';
import {
  expectedWaiting,
  type ModelCampaign,
  type ModelEvent,
  type ModelRule,
  type ModelWorld,
} from '#test/support/outreach/event-model.ts';
import { checkRows } from '#test/support/outreach/event-rows.ts';
import {
  card,
  type Place,
  type PlacedCampaigns,
  type Play,
  plays,
  toEvent,
} from '#test/support/outreach/event-sequences.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedRule, seedTag } from '#test/support/outreach/rules.ts';
import { seedSend, seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { eventHandlers } from './handlers/index.ts';
import { handleBatch } from './batch.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';

const SEQUENCES = 25;

describe('events in any order, duplicated and in any batches', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  let world: ModelWorld;
  let byPlace: PlacedCampaigns;

  async function campaign(place: Place, status: string, taskId: string | null): Promise<ModelCampaign> {
    const { campaignId, keys } = await seedSend(database, tenant.tenantId, { chunks: [3], messages: [card] });
    const key = keys[0] ?? '';
    await database('broadcast_task').where({ key }).update({ status, task_id: taskId, submitting_by: 'owner' });
    await database('campaign')
      .where({ campaign_id: campaignId })
      .update({ source_id: `source-${place}` });
    return { campaignId, key, taskId: `task-${place}`, unknown: place === 'lost', sourceId: `source-${place}` };
  }

  async function rules(only: string): Promise<ModelRule[]> {
    const [bought, read, asked, talked] = await Promise.all([1, 2, 3, 4].map(() => seedTag(database, tenant.tenantId)));
    const given: (Omit<ModelRule, 'ruleId' | 'tagId'> & { tagId: string | undefined; condition: MatchCondition })[] = [
      {
        tagId: bought,
        trigger: 'notice.clicked',
        condition: { field: 'bizEventCode', op: 'eq', value: 'buy' },
        holds: ({ data }) => JSON.stringify(data['action']).includes('buy'),
      },
      // The same tag from another rule: whichever comes first.
      {
        tagId: bought,
        trigger: 'notice.clicked',
        condition: {
          all: [
            { field: 'campaignId', op: 'eq', value: only },
            { field: 'actionIndex', op: 'gte', value: 1 },
          ],
        },
        holds: ({ data }, campaignId) => campaignId === only && data['actionIndex'] !== 0,
      },
      {
        tagId: read,
        trigger: 'notice.clicked',
        condition: { field: 'url', op: 'prefix', value: 'https://shop.' },
        holds: ({ data }) => data['actionIndex'] === 1,
      },
      { tagId: asked, trigger: 'session.created', condition: { all: [] }, holds: () => true },
      {
        tagId: talked,
        trigger: 'session.closed',
        condition: { field: 'messageCount', op: 'gt', value: 2 },
        holds: ({ data }) => (data['summary'] as { messageCount: number }).messageCount > 2,
      },
    ];
    const made: ModelRule[] = [];
    for (const { tagId = '', trigger, condition: matchCondition, holds } of given) {
      const definition = { targetTagId: tagId, triggerEvent: trigger as 'notice.clicked', matchCondition };
      made.push({ ruleId: await seedRule(database, tenant.tenantId, definition), tagId, trigger, holds });
    }
    return made;
  }

  async function freshWorld(): Promise<void> {
    await rows(database, `update event_inbox set status = 'failed' where status = 'stored'`, {});
    tenant = await seedTenant(database, testEncryption);
    byPlace = {
      accepted: await campaign('accepted', 'sending', 'task-accepted'),
      late: await campaign('late', 'submitting', null),
      lost: await campaign('lost', 'unknown', null),
    };
    const campaigns = Object.values(byPlace);
    world = { campaigns, serviceNumberId: 'sn-1', rules: await rules(byPlace.accepted.campaignId) };
  }

  async function drain(): Promise<void> {
    while ((await handleBatch(database, 0, eventHandlers, new Date())).taken > 0);
  }

  async function accept(): Promise<void> {
    const { key, campaignId, taskId } = byPlace.late;
    const now = new Date();
    const submission = { tenantId: tenant.tenantId, campaignId, key, owner: 'owner', now };
    const accepted = { taskId, status: 'sending' as const, nextPollAt: now, pollIntervalMs: 1000 };
    expect(await recordAccepted(database, submission, { ...accepted, estimatedRecipientCount: null })).to.equal(true);
  }

  /**
   * The context of an event has woken it as soon as it arrived, except for a click in the same batch as the event
   * that reported its task.
   */
  async function checkLeftWaiting(events: ModelEvent[]): Promise<void> {
    const left = await database('event_inbox').where({ tenant_id: tenant.tenantId, status: 'stored' });
    const expected = expectedWaiting(events, world);
    for (const { eventId, waitingFor: context } of left)
      if (context !== `task:${byPlace.lost.taskId}`) expect(expected).to.include(eventId);
  }

  async function deliver(events: ModelEvent[], { deliveries, steps, acceptedAfter }: Play): Promise<void> {
    const { tenantIntegrationId } = tenant;
    const queue = deliveries.flatMap((index) => events[index] ?? []);
    let step = 0;
    for (let from = 0; from < queue.length; step += 1) {
      const { size, drained } = steps[step % steps.length] ?? { size: 1, drained: true };
      const commands = queue.slice(from, from + size).map(({ occurredAt, scope: serviceNumberId, data, ...event }) => ({
        ...event,
        tenantIntegrationId,
        serviceNumberId,
        occurredAt: occurredAt.toISOString(),
        payload: JSON.stringify(data),
      }));
      await storeEvents(database, commands, 1, new Date());
      from += size;
      if (drained) await drain();
      if (step === acceptedAfter) await accept();
    }
    if (step <= acceptedAfter) await accept();
    await drain();
    await checkLeftWaiting(events);
    // An event that waits for another one in its own batch is retried within seconds; here immediately.
    await database('event_inbox')
      .where({ status: 'stored' })
      .update({ next_attempt_at: new Date(0) });
    await drain();
  }

  it('S0-ERR5, S0-FL1, S0-FL6, S0-FL7: leave exactly the rows that a brute-force model predicts', async () => {
    const seed = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2_147_483_647);
    await fc.assert(
      fc.asyncProperty(plays, async (play) => {
        await freshWorld();
        const events = play.events.map((event, index) => toEvent(event, index, byPlace));
        await deliver(events, play);
        await checkRows(database, tenant.tenantId, events, world);
      }),
      { seed, numRuns: SEQUENCES },
    );
    process.stderr.write(`      ${SEQUENCES} sequences, PROPERTY_SEED=${seed}\n`);
  });
});
