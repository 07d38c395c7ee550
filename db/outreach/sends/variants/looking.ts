import type { CampaignStatus } from '../../../../domain/api/campaign.ts';
import type { Message } from '../../../../domain/api/messages.ts';
import type { Variants } from '../../../../domain/api/variants.ts';
import type { Arm } from '../../../../domain/campaigns/variants/evidence.ts';
import {
  decidesAt,
  LOOK_AT_LEAST_MS,
  lookAgainMs,
  lookBeforeMs,
  nextStep,
} from '../../../../domain/campaigns/variants/looks.ts';
import { restPercent } from '../../../../domain/campaigns/variants/variants.ts';
import { type VariantVerdict, verdictOf } from '../../../../domain/campaigns/variants/verdict.ts';
import { type Database, firstRow, rows, type Transaction } from '../../../database.ts';
import { integrationActive } from '../../sql-fragments.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { holdingCampaign } from '../ledger/campaign-lock.ts';
import { choose, CHOSEN_BY_TEST } from './choosing.ts';
import { readCompared, restWaits } from './figures.ts';

/** The result of evaluating a test. */
export interface Evaluation {
  /** `asks`: an operator has to choose. `ended`: no contacts are left. */
  state: 'preparing' | 'paused' | 'waiting' | 'running' | 'asks' | 'chosen' | 'ended';
  /** By the position of the variant; empty before they can be compared. */
  arms: Arm[];
  verdict: VariantVerdict;
  /** Positions; null while there is none. */
  leader: number | null;
  chosen: number | null;
  /** When to look again; null: no more. */
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

interface TestRow {
  status: CampaignStatus;
  cancelRequested: boolean;
  messages: Message[];
  variants: Variants;
  preparing: boolean;
  /** When its send begins, or was asked for. */
  beginsAt: Date;
  nextLookAt: Date | null;
  chosen: number | null;
}

const selectTest = `
  select c.status, c.cancel_requested, c.messages, c.variants, v.next_look_at, v.chosen,
    coalesce(s.scheduled_at, s.created_at) as begins_at,
    exists (select 1 from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null) as preparing
  from variant_test v join campaign c using (campaign_id) join dispatch s on s.dispatch_id = v.dispatch_id
  where v.tenant_id = :tenantId and v.campaign_id = :campaignId and c.variants is not null`;

const storeLook = `
  update variant_test set next_look_at = :nextLookAt, asks_since = case when :asks then coalesce(asks_since, :now::timestamptz) end
  where tenant_id = :tenantId and campaign_id = :campaignId`;

const nothing: Pick<Evaluation, 'arms' | 'verdict' | 'leader' | 'chosen'> = {
  arms: [],
  verdict: 'too_few',
  leader: null,
  chosen: null,
};

/** A test that cannot be decided now. */
async function standingOf(
  transaction: Transaction,
  key: CampaignKey,
  test: TestRow,
): Promise<Evaluation['state'] | null> {
  if (test.cancelRequested || test.nextLookAt === null) return 'ended';
  const isPaused = test.status === 'paused';
  if (test.preparing) return isPaused ? 'paused' : 'preparing';
  if (!(await restWaits(transaction, key))) return 'ended';
  return isPaused ? 'paused' : null;
}

async function look(transaction: Transaction, key: CampaignKey, test: TestRow, now: Date): Promise<Evaluation> {
  const { variants, chosen, beginsAt } = test;
  if (chosen !== null) return { ...nothing, state: 'chosen', chosen, nextLookAt: null };
  const after = (ms: number) => new Date(now.getTime() + ms);
  const standing = await standingOf(transaction, key, test);
  if (standing === 'ended') return { ...nothing, state: standing, nextLookAt: null };
  if (standing === 'paused') return { ...nothing, state: standing, nextLookAt: after(LOOK_AT_LEAST_MS) };
  const before = after(lookBeforeMs(beginsAt, now));
  if (standing) return { ...nothing, state: standing, nextLookAt: before };
  const { by: measure, minimum } = variants.winner;
  const size = { variants: variants.others.length + 1, measure, now };
  const { arms, since } = await readCompared(transaction, key, size);
  if (since === null) return { ...nothing, state: 'waiting', nextLookAt: before };
  const { verdict, leader } = verdictOf(arms, minimum);
  const seen = { arms, verdict, leader, chosen: null };
  const step = nextStep(variants, { verdict, leader }, { since, now });
  if (typeof step === 'object') {
    const author = { tenantId: key.tenantId, userId: CHOSEN_BY_TEST, requestId: null };
    const campaign = { id: key.campaignId, messages: test.messages, variants };
    const choice = { variant: step.take, proven: verdict === 'proven', compared: arms, now };
    if (await choose(transaction, author, campaign, choice))
      return { ...seen, state: 'chosen', chosen: step.take, nextLookAt: null };
  }
  const again = after(lookAgainMs(now.getTime() - since.getTime()));
  const decides = decidesAt(variants, since);
  return {
    ...seen,
    state: step === 'ask' ? 'asks' : 'running',
    nextLookAt: decides > now && decides < again ? decides : again,
  };
}

/**
 * Evaluates the test of a campaign, and chooses a variant if it is time and the choice is automatic.
 * @returns null if it has none.
 */
export function evaluateTest(database: Database, key: CampaignKey, now: Date): Promise<Evaluation | null> {
  return holdingCampaign(database, key, async (transaction) => {
    const test = await firstRow<TestRow>(transaction, selectTest, { ...key });
    if (!test) return null;
    const found = await look(transaction, key, test, now);
    const { state, nextLookAt } = found;
    await rows(transaction, storeLook, { ...key, now, nextLookAt, asks: state === 'asks' });
    return found;
  });
}

/** Tests whose evaluation was due before `before`: their workflow may be lost. In random order, as other sweeps. */
export function orphanedTests(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<(CampaignKey & { status: CampaignStatus })[]> {
  return rows<CampaignKey & { status: CampaignStatus }>(
    database,
    `select v.tenant_id, v.campaign_id, c.status from variant_test v join campaign c using (campaign_id)
     where v.next_look_at <= :before and ${integrationActive('v')} order by random() limit :limit`,
    { before, limit },
  );
}
