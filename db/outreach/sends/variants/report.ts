import type { Variants } from '#domain/api/variants.ts';
import type { VariantTest, TestPart } from '#domain/api/variant-test.ts';
import type { Arm } from '#domain/campaigns/variants/evidence.ts';
import { decidesAt } from '#domain/campaigns/variants/looks.ts';
import { REST_ARM, restPercent, variantsOf } from '#domain/campaigns/variants/variants.ts';
import { verdictOf } from '#domain/campaigns/variants/verdict.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { type ArmClicks, type PartFigures, readParts } from './figures.ts';
import { type ReadStanding, readStanding, testColumns, type TestRecord } from './standing.ts';

interface TestRow extends Pick<TestRecord, 'chosen' | 'chosenBy' | 'proven' | 'preparing'> {
  recipientsDeleted: boolean;
  chosenAt: Date | null;
  compared: Arm[] | null;
}

const selectTest = `
  select ${testColumns}, v.chosen_at, v.compared,
    exists (select 1 from dispatch d where d.dispatch_id = v.dispatch_id and d.recipients_deleted_at is not null)
      as recipients_deleted
  from variant_test v where v.tenant_id = :tenantId and v.campaign_id = :campaignId`;

/** Of a draft. */
const notSent: TestRow = {
  preparing: true,
  recipientsDeleted: false,
  chosen: null,
  chosenAt: null,
  chosenBy: null,
  proven: null,
  compared: null,
};

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

/** Tags cannot be compared once the lists of contacts are deleted; earlier comparisons are kept. */
function armsOf({ compared }: ReadStanding, test: TestRow, { winner }: Variants): Arm[] {
  return test.recipientsDeleted && winner.by.type === 'tag' && test.compared ? test.compared : compared.arms;
}

async function read(transaction: Transaction, campaign: Tested, now: Date): Promise<VariantTest | null> {
  const key = { tenantId: campaign.tenantId, campaignId: campaign.id };
  const { variants, status, cancelRequested } = campaign;
  if (!variants) return null;
  const test = (await firstRow<TestRow>(transaction, selectTest, key)) ?? notSent;
  const { parts, clicks } = await readParts(transaction, key);
  const seen = await readStanding(transaction, key, { ...test, variants, status, cancelRequested }, now);
  const { since } = seen.compared;
  const { state, reason } = seen.standing;
  const arms = armsOf(seen, test, variants);
  const named = variantsOf(campaign);
  const nameOf = (variant: number | null) => (variant === null ? null : (named[variant]?.name ?? null));
  const { verdict, leader, chance } = verdictOf(arms, variants.winner.minimum);
  const isOpen = ['sending', 'scheduled', 'paused'].includes(status);
  const { chosenAt, chosenBy, proven } = test;
  return {
    state,
    reason,
    measure: variants.winner.by,
    startedAt: since?.toISOString() ?? null,
    decidesAt: state === 'running' && since ? decidesAt(variants, since).toISOString() : null,
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
    mayChoose: seen.rest.waits && isOpen && test.chosen === null && !test.preparing && !cancelRequested,
  };
}

/** The test of a campaign's variants, as of one point in time; null if it has none. */
export function readVariantTest(database: Database, campaign: Tested, now: Date): Promise<VariantTest | null> {
  return database.transaction((transaction) => read(transaction, campaign, now), {
    isolationLevel: 'repeatable read',
    readOnly: true,
  });
}
