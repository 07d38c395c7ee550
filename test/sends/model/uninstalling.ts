import { uninstallIntegration } from '#commands/outreach/tenants/uninstall-integration.ts';
import { onceWritable } from './away.ts';
import { countClaims } from './claims.ts';
import type { World } from './state.ts';

const SECOND = 1000;

/** In some worlds the platform uninstalls the tenant, whatever is under way. */
export async function uninstallSometime(world: World): Promise<void> {
  const { chances, clock, database, tenant, platform } = world;
  if (chances.fraction('uninstall') >= 0.08) return;
  await clock.sleep(chances.pick([1, 5, 20, 100, 400, 1500, 4000], 'uninstalled after') * SECOND);
  await onceWritable(clock, () => {
    const request = { reason: undefined, now: clock.now(), requestId: null };
    return uninstallIntegration(database, tenant.tenantIntegrationId, request);
  });
  world.note('uninstall');
  // The next moment: calls that had begun have reached the platform by then.
  await clock.sleep(1);
  world.callsAtUninstall = platform.calls();
  world.claimsAtUninstall = await countClaims(world);
  await world.look();
}
