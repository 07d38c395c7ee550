import { chooseVariant } from '../../../../db/outreach/sends/variants/choosing.ts';
import { readVariantTest } from '../../../../db/outreach/sends/variants/report.ts';
import { variantOperations } from '../../../../domain/api/variant-test.ts';
import { authorOf, type BackendDeps, type ServeActor } from '../../deps.ts';
import type { CampaignLoader } from '../campaigns/campaign.ts';
import { drive, driveCampaign } from '../sends/commands.ts';

/** The test of a campaign's variants, and how it is decided by hand. */
export function variantRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { database, now } = deps;

  serve(variantOperations.getVariantTest, {
    load,
    handle: ({ loaded }) => readVariantTest(database, loaded, now()),
  });

  serve(variantOperations.chooseVariant, {
    load,
    handle: async ({ actor, loaded, body }) => {
      await chooseVariant(database, authorOf(actor), loaded.id, body.name, now());
      await drive(deps, loaded.id, () => driveCampaign(deps, loaded));
      return readVariantTest(database, loaded, now());
    },
  });
}
