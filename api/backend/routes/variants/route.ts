import { chooseVariant } from '#commands/outreach/sends/variants/choose-variant.ts';
import { readVariantTest } from '#db/outreach/sends/variants/report.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { Problem } from '#domain/api/problem.ts';
import { variantOperations, type VariantTest } from '#domain/api/variant-test.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import type { CampaignLoader } from '../campaigns/campaign.ts';
import { drive, driveCampaign } from '../sends/commands.ts';

/** The test of a campaign's variants, and how it is decided by hand. */
export function variantRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { database, now } = deps;
  async function testOf(campaign: CampaignRecord): Promise<VariantTest> {
    const test = await readVariantTest(database, campaign, now());
    if (!test) throw new Problem('not_found', 'The campaign has no variants');
    return test;
  }

  serve(variantOperations.getVariantTest, {
    load,
    handle: ({ loaded }) => testOf(loaded),
  });

  serve(variantOperations.chooseVariant, {
    load,
    handle: async ({ actor, loaded, body }) => {
      await chooseVariant(database, authorOf(actor), loaded.id, body.name, now());
      await drive(deps, loaded.id, () => driveCampaign(deps, loaded));
      return await testOf(loaded);
    },
  });
}
