import type { VariantTest, TestPart, TestState } from '../../../../domain/api/variant-test.ts';
import type { Arm } from '../../../../domain/campaigns/variants/evidence.ts';
import { decidesAt } from '../../../../domain/campaigns/variants/looks.ts';
import { REST_ARM, restPercent, variantsOf } from '../../../../domain/campaigns/variants/variants.ts';
import { verdictOf } from '../../../../domain/campaigns/variants/verdict.ts';
import { type Database, firstRow, type Transaction } from '../../../database.ts';
import type { CampaignRecord } from '../../campaigns/campaigns.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { type ArmClicks, type Compared, type PartFigures, readCompared, readParts, restWaits } from './figures.ts';

interface TestRow {
  preparing: boolean;
  recipientsDeleted: boolean;
  chosen: number | null;
  chosenAt: Date | null;
  chosenBy: string | null;
  proven: boolean | null;
  compared: Arm[] | null;
}

const selectTest = `
  select v.chosen, v.chosen_at, v.chosen_by, v.proven, v.compared,
    exists (select 1 from dispatch d where d.campaign_id = v.campaign_id and d.frozen_at is null) as preparing,
    exists (select 1 from dispatch d where d.dispatch_id = v.dispatch_id and d.recipients_deleted_at is not null)
      as recipients_deleted
  from variant_test v where v.tenant_id = :tenantId and v.campaign_id = :campaignId`;

type Tested = Pick<CampaignRecord, 'id' | 'tenantId' | 'messages' | 'variants' | 'status' | 'cancelRequested'>;

const noOutcomes: TestPart['outcomes'] = {
  delivered: 0,
  sent: 0,
  failed: 0,
  heldBack: 0,
  uncounted: 0,
  refused: 0,
  cancelled: 0,
  unknown: 0,
  notYet: 0,
};

function partOf(arm: number, parts: PartFigures[], clicks: ArmClicks[]): TestPart {
  const { contacts = 0, outcomes = noOutcomes, summary } = parts.find((one) => one.arm === arm) ?? {};
  const { total = 0, uniqueContacts = 0 } = clicks.find((one) => one.arm === arm) ?? {};
  return {
    contacts,
    outcomes,
    summary: summary ?? { sent: 0, delivered: 0, failed: 0, read: 0 },
    clicks: { total, uniqueContacts },
  };
}

const untested: VariantTest = {
  state: 'none',
  measure: null,
  startedAt: null,
  decidesAt: null,
  variants: [],
  rest: null,
  verdict: { verdict: 'too_few', leader: null, chance: 1 },
  choice: null,
  mayChoose: false,
};

interface Standing {
  waits: boolean;
  since: Date | null;
  decides: Date | null;
  now: Date;
}

function stateOf(campaign: Tested, test: TestRow, { waits, since, decides, now }: Standing): TestState {
  if (test.chosen !== null) return 'chosen';
  if (campaign.cancelRequested) return 'ended';
  if (test.preparing) return 'preparing';
  const isOver = restPercent(campaign.variants) > 0 ? !waits : decides !== null && decides <= now;
  if (isOver) return 'ended';
  return since === null ? 'waiting' : 'running';
}

/** Tags cannot be compared once the lists of contacts are deleted; earlier comparisons are kept. */
async function comparedOf(
  transaction: Transaction,
  key: CampaignKey,
  {
    campaign,
    test,
    now,
  }: { campaign: Tested & { variants: NonNullable<Tested['variants']> }; test: TestRow; now: Date },
): Promise<Compared> {
  const measure = campaign.variants.winner.by;
  const variants = campaign.variants.others.length + 1;
  const found = await readCompared(transaction, key, { variants, measure, now });
  return test.recipientsDeleted && measure.type === 'tag' && test.compared ? { ...found, arms: test.compared } : found;
}

async function read(transaction: Transaction, campaign: Tested, now: Date): Promise<VariantTest> {
  const key = { tenantId: campaign.tenantId, campaignId: campaign.id };
  const { variants } = campaign;
  const test = variants && (await firstRow<TestRow>(transaction, selectTest, key));
  if (!variants || !test) return untested;
  const { parts, clicks } = await readParts(transaction, key);
  const { arms, since } = await comparedOf(transaction, key, { campaign: { ...campaign, variants }, test, now });
  const named = variantsOf(campaign);
  const nameOf = (variant: number | null) => (variant === null ? null : (named[variant]?.name ?? null));
  const { verdict, leader, chance } = verdictOf(arms, variants.winner.minimum);
  const waits = await restWaits(transaction, key);
  const decides = since && decidesAt(variants, since);
  const state = stateOf(campaign, test, { waits, since, decides, now });
  const isOpen = ['sending', 'scheduled', 'paused'].includes(campaign.status);
  const { chosenAt, chosenBy, proven } = test;
  return {
    state,
    measure: variants.winner.by,
    startedAt: since?.toISOString() ?? null,
    decidesAt: state === 'running' ? (decides?.toISOString() ?? null) : null,
    variants: named.map(({ name, sharePercent }, arm) => ({
      name,
      sharePercent,
      ...partOf(arm, parts, clicks),
      compared: arms[arm] ?? { contacts: 0, converted: 0 },
    })),
    rest:
      restPercent(variants) > 0 || parts.some(({ arm }) => arm === REST_ARM) ? partOf(REST_ARM, parts, clicks) : null,
    verdict: { verdict, leader: nameOf(leader), chance },
    choice:
      chosenAt && chosenBy !== null
        ? { name: nameOf(test.chosen) ?? '', at: chosenAt.toISOString(), by: chosenBy, proven: proven === true }
        : null,
    mayChoose: waits && isOpen && test.chosen === null && !test.preparing && !campaign.cancelRequested,
  };
}

/** The test of a campaign's variants, as of one point in time. */
export function readVariantTest(database: Database, campaign: Tested, now: Date): Promise<VariantTest> {
  return database.transaction((transaction) => read(transaction, campaign, now), {
    isolationLevel: 'repeatable read',
    readOnly: true,
  });
}
