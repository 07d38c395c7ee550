import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { claimSubTask } from '#db/outreach/sends/ledger/ledger.ts';
import { campaignStatuses, subTaskStatuses } from '#domain/api/campaign.ts';
import { REST_ARM } from '#domain/campaigns/variants/variants.ts';
import { type ClaimFacts, mayClaim } from '#domain/sends/claim.ts';
import { Random } from '#test/past/simulation/random.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant, type TestSend } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';

/** Writes what the facts say into the send's rows, whatever they held before. */
const store = `
  with changed as (
    update campaign_edit set outcome = case when :isBeingChanged then null else 'dropped' end,
      settled_at = case when :isBeingChanged then null else now() end
    where campaign_id = :campaignId),
  called as (
    update tenant_integration set status = case when :mayCall then 'ACTIVE' else 'UNINSTALLED' end
    where tenant_id = :tenantId),
  sub_task as (
    update broadcast_task set status = :subTask, next_attempt_at = :nextAttemptAt, submitting_by = null,
      arm = case when :awaitsChoice then ${REST_ARM} end, variant = null
    where campaign_id = :campaignId)
  update campaign set status = :status, pause_reason = case when :status = 'paused' then 'operator' end,
    cancel_requested = :cancelRequested, first_claimed_at = case when :decided then now() end,
    pace = case when :paced then '{"perMinute": 10}'::jsonb end
  where campaign_id = :campaignId`;

describe('the condition of a claim', () => {
  const database = useDatabase('outreach');
  const now = new Date();

  async function seed(): Promise<TestSend> {
    const { tenantId } = await seedTenant(database, testEncryption);
    const send = await seedSend(database, tenantId, { chunks: [1] });
    await rows(
      database,
      `insert into campaign_edit (edit_id, tenant_id, campaign_id, patch, requested_by, requested_at)
       values ('e-1', :tenantId, :campaignId, '{}', 'u1', now())`,
      { tenantId, campaignId: send.campaignId },
    );
    return send;
  }

  it('is the same in SQL as in the domain, for any row', async () => {
    const { tenantId, campaignId, dispatchId } = await seed();
    const random = new Random(41);
    // Most conditions hold in most rows: else nearly every row would be refused for several reasons at once.
    const rarely = () => random.next() < 0.12;
    const claimed = { yes: 0, no: 0 };
    for (let row = 0; row < 400; row += 1) {
      const facts: ClaimFacts = {
        status: rarely() ? random.of(campaignStatuses) : random.of(['sending', 'scheduled']),
        cancelRequested: rarely(),
        isBeingChanged: rarely(),
        subTask: rarely() ? random.of(subTaskStatuses) : 'pending',
        nextAttemptAt: random.of([
          null,
          now,
          new Date(now.getTime() - 1000),
          ...(rarely() ? [new Date(now.getTime() + 1)] : []),
        ]),
        awaitsChoice: rarely(),
        decided: !rarely(),
        mayCall: !rarely(),
        paced: rarely(),
      };
      const inTurn = random.next() < 0.5;
      await rows(database, store, { tenantId, campaignId, ...facts });
      const claim = await claimSubTask(
        database,
        { tenantId, dispatchId, from: 0, to: 0, owner: 'me', now },
        { inTurn },
      );
      const expected = mayClaim(facts, now, { inTurn });
      expect(claim !== null, JSON.stringify({ ...facts, inTurn })).to.equal(expected);
      claimed[expected ? 'yes' : 'no'] += 1;
    }
    expect(Math.min(claimed.yes, claimed.no), 'rows of both kinds').to.be.greaterThan(60);
  });
});
