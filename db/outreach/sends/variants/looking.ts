import type { CampaignStatus } from '../../../../domain/api/campaign.ts';
import type { TestState } from '../../../../domain/api/variant-test.ts';
import type { Message } from '../../../../domain/api/messages.ts';
import type { Variants } from '../../../../domain/api/variants.ts';
import type { Arm } from '../../../../domain/campaigns/variants/evidence.ts';
import {
  decidesAt,
  LOOK_AT_LEAST_MS,
  lookAgainMs,
  lookBeforeMs,
  nextStep,
  type Step,
} from '../../../../domain/campaigns/variants/looks.ts';
import { restPercent } from '../../../../domain/campaigns/variants/variants.ts';
import type { VariantVerdict } from '../../../../domain/campaigns/variants/verdict.ts';
import { type Database, firstRow, rows, type Transaction } from '../../../database.ts';
import { integrationActive } from '../../sql-fragments.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { holdingCampaign } from '../ledger/campaign-lock.ts';
import { awaitsChoice } from '../ledger/conditions.ts';
import { choose, CHOSEN_BY_TEST } from './choosing.ts';
import { type ReadStanding, readStanding, testColumns, type TestRecord } from './standing.ts';

/** The result of evaluating a test. */
export interface Evaluation {
  /** `paused`: as its campaign. */
  state: TestState | 'paused';
  /** By the position of the variant; empty before they can be compared. */
  arms: Arm[];
  verdict: VariantVerdict;
  /** Positions; null while there is none. */
  leader: number | null;
  chosen: number | null;
  /** When to look again; null: not before somebody changes the campaign. */
  nextLookAt: Date | null;
}

/** Stores the test of a send. With an empty rest there is nothing to decide, so it is never evaluated. */
export async function insertTest(
  transaction: Transaction,
  send: CampaignKey & { dispatchId: string },
  { variants, startsAt }: { variants: Variants | null; startsAt: Date },
): Promise<void> {
  if (variants === null) return;
  await rows(
    transaction,
    `insert into variant_test (campaign_id, tenant_id, dispatch_id, next_look_at)
     values (:campaignId, :tenantId, :dispatchId, :nextLookAt)`,
    { ...send, nextLookAt: restPercent(variants) > 0 ? startsAt : null },
  );
}

interface TestRow extends TestRecord {
  messages: Message[];
  /** When its send begins, or was asked for. */
  beginsAt: Date;
}

const selectTest = `
  select c.status, c.cancel_requested, c.messages, c.variants, coalesce(s.scheduled_at, s.created_at) as begins_at, ${testColumns}
  from variant_test v join campaign c using (campaign_id) join dispatch s on s.dispatch_id = v.dispatch_id
  where v.tenant_id = :tenantId and v.campaign_id = :campaignId and c.variants is not null`;

const storeLook = `
  update variant_test set next_look_at = :nextLookAt, asks_since = case when :asks then coalesce(asks_since, :now::timestamptz) end
  where tenant_id = :tenantId and campaign_id = :campaignId`;

const openStates: ReadonlySet<CampaignStatus> = new Set(['scheduled', 'sending', 'paused']);

/** Chooses the variant if it is time. @returns which; null if it is not, or somebody else has. */
async function chooseIfDue(
  transaction: Transaction,
  key: CampaignKey,
  test: TestRow,
  { step, seen, now }: { step: Step; seen: ReadStanding; now: Date },
): Promise<number | null> {
  if (typeof step !== 'object') return null;
  const author = { tenantId: key.tenantId, userId: CHOSEN_BY_TEST, requestId: null };
  const campaign = { id: key.campaignId, messages: test.messages, variants: test.variants };
  const proven = seen.verdict.verdict === 'proven';
  const choice = { variant: step.take, proven, compared: seen.compared.arms, now };
  return (await choose(transaction, author, campaign, choice)) ? step.take : null;
}

/** @returns what was found, and whether an operator has to choose now. */
async function look(
  transaction: Transaction,
  key: CampaignKey,
  test: TestRow,
  now: Date,
): Promise<Evaluation & { asks: boolean }> {
  const { variants, beginsAt, status } = test;
  const seen = await readStanding(transaction, key, test, now);
  const { state } = seen.standing;
  const { arms, since } = seen.compared;
  const { verdict, leader } = seen.verdict;
  const after = (ms: number) => new Date(now.getTime() + ms);
  const found = { arms: since === null ? [] : arms, verdict, leader, chosen: test.chosen, asks: false };
  if (state === 'decided' || state === 'ended' || !openStates.has(status)) return { ...found, state, nextLookAt: null };
  // With an empty rest there is nothing to decide.
  if (restPercent(variants) === 0) return { ...found, state, nextLookAt: null };
  if (status === 'paused') return { ...found, state: 'paused', nextLookAt: after(LOOK_AT_LEAST_MS) };
  if (state === 'waiting' || since === null || seen.standing.reason === 'arms_refused')
    return { ...found, state, asks: state === 'asking', nextLookAt: after(lookBeforeMs(beginsAt, now)) };
  const step = nextStep(variants, { ...seen.verdict, arms }, { since, now });
  const chosen = await chooseIfDue(transaction, key, test, { step, seen, now });
  if (chosen !== null) return { ...found, state: 'decided', chosen, nextLookAt: null };
  const again = after(lookAgainMs(now.getTime() - since.getTime()));
  const decides = decidesAt(variants, since);
  const nextLookAt = decides > now && decides < again ? decides : again;
  // Who is to choose by hand has the whole time for it, unless nothing more is to be learnt.
  const asks = step === 'ask' || seen.standing.reason === 'minimum_out_of_reach';
  return { ...found, state, asks, nextLookAt };
}

/**
 * Evaluates the test of a campaign, and chooses a variant if it is time and the choice is automatic.
 * @returns null if it has none.
 */
export function evaluateTest(database: Database, key: CampaignKey, now: Date): Promise<Evaluation | null> {
  return holdingCampaign(database, key, async (transaction) => {
    const test = await firstRow<TestRow>(transaction, selectTest, { ...key });
    if (!test) return null;
    const { asks, ...found } = await look(transaction, key, test, now);
    await rows(transaction, storeLook, { ...key, now, nextLookAt: found.nextLookAt, asks });
    return found;
  });
}

/**
 * Tests of open campaigns that should have been looked at before `before`, or that nobody looks at although the rest waits: their
 * workflow may be lost, or a retry has made the rest wait again. In random order, as other sweeps.
 */
export function orphanedTests(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<(CampaignKey & { status: CampaignStatus })[]> {
  return rows<CampaignKey & { status: CampaignStatus }>(
    database,
    `select v.tenant_id, v.campaign_id, c.status from variant_test v join campaign c using (campaign_id)
     where c.status in ('scheduled', 'sending', 'paused') and not c.cancel_requested and v.chosen is null
       and (v.next_look_at <= :before or (v.next_look_at is null and exists (
         select 1 from broadcast_task t where t.campaign_id = c.campaign_id and t.status = 'pending' and ${awaitsChoice('t')})))
       and ${integrationActive('v')} order by random() limit :limit`,
    { before, limit },
  );
}
