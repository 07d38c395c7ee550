import type { CampaignStatus } from '#domain/api/campaign.ts';
import type { Variants } from '#domain/api/variants.ts';
import { type TestFacts, type TestStanding, testStanding } from '#domain/campaigns/variants/standing.ts';
import { type Verdict, verdictOf } from '#domain/campaigns/variants/verdict.ts';
import type { Transaction } from '#db/database.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { CHOSEN_BY_TEST } from './choosing.ts';
import { type Compared, readCompared, readRest, type Rest } from './figures.ts';

/** What the rows of a campaign and of its test say, apart from its sub-tasks. */
export interface TestRecord {
  variants: Variants;
  status: CampaignStatus;
  cancelRequested: boolean;
  /** Also where it was not sent yet. */
  preparing: boolean;
  chosen: number | null;
  chosenBy: string | null;
  proven: boolean | null;
}

/** SQL: columns of a test `v` that were chosen by somebody, and whether the audience is not in sub-tasks yet. */
export const testColumns = `v.chosen, v.chosen_by, v.proven,
  exists (select 1 from dispatch d where d.campaign_id = v.campaign_id and d.frozen_at is null) as preparing`;

function decidedBy({ chosen, chosenBy, proven }: TestRecord): TestFacts['decided'] {
  if (chosen === null) return null;
  if (chosenBy !== CHOSEN_BY_TEST) return 'chosen';
  return proven ? 'proven' : 'best';
}

function overBy({ status, cancelRequested }: TestRecord): TestFacts['over'] {
  if (status === 'closed') return 'closed';
  return cancelRequested || status === 'cancelled' ? 'cancelled' : null;
}

/** A test as its rows say now. */
export interface ReadStanding {
  standing: TestStanding;
  compared: Compared;
  verdict: Verdict;
  rest: Rest;
}

export async function readStanding(
  transaction: Transaction,
  key: CampaignKey,
  test: TestRecord,
  now: Date,
): Promise<ReadStanding> {
  const { variants, preparing } = test;
  const { by: measure, minimum } = variants.winner;
  const compared = await readCompared(transaction, key, { variants: variants.others.length + 1, measure, now });
  const rest = await readRest(transaction, key);
  const verdict = verdictOf(compared.arms, minimum);
  const facts: TestFacts = {
    variants,
    decided: decidedBy(test),
    over: overBy(test),
    preparing,
    left: rest.left,
    arms: compared.states,
    contacts: compared.arms.reduce((sum, { contacts }) => sum + contacts, 0),
    since: compared.since,
    verdict: verdict.verdict,
  };
  return { standing: testStanding(facts, now), compared, verdict, rest };
}
