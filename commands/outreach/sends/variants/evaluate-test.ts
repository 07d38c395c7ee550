import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { CHOSEN_BY_TEST } from '#db/outreach/sends/variants/choosing.ts';
import { selectTest, storeLook } from '#db/outreach/sends/variants/evaluation.ts';
import { readStanding, type ReadStanding, type TestRecord } from '#db/outreach/sends/variants/standing.ts';
import type { CampaignStatus } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import type { TestState } from '#domain/api/variant-test.ts';
import type { Arm } from '#domain/campaigns/variants/evidence.ts';
import {
  decidesAt,
  LOOK_AT_LEAST_MS,
  lookAgainMs,
  lookBeforeMs,
  nextStep,
  type Step,
} from '#domain/campaigns/variants/looks.ts';
import { restPercent } from '#domain/campaigns/variants/variants.ts';
import type { VariantVerdict } from '#domain/campaigns/variants/verdict.ts';
import { holdingCampaign } from '../ledger/holding-campaign.ts';
import { choose } from './choose-variant.ts';

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

interface TestRow extends TestRecord {
  messages: Message[];
  /** When its send begins, or was asked for. */
  beginsAt: Date;
}

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
