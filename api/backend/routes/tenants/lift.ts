import { liftOperations } from '#domain/api/lift.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { periodOf } from '#domain/period.ts';
import { readTenantSettings } from '#commands/outreach/tenants/settings.ts';
import { readTenantLift } from '#db/outreach/tenants/lift.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';

const refuse = (code: 'no_control_group' | 'before_control_group', since?: string): Problem =>
  new Problem('invalid_content', 'There was no control group to compare with', {
    errors: [invalidField('query/from', code, since === undefined ? undefined : { since })],
  });

/** The tenant's control group against all others. */
export function tenantLiftRoutes(serve: ServeActor, { database, now }: BackendDeps): void {
  serve(liftOperations.getTenantLift, {
    handle: async ({ actor: { tenantId }, query }) => {
      const { from, to } = periodOf(query, now());
      const { controlGroup } = await readTenantSettings(database, tenantId);
      if (controlGroup?.since == null) throw refuse('no_control_group');
      if (from < new Date(controlGroup.since)) throw refuse('before_control_group', controlGroup.since);
      const lift = await readTenantLift(database, tenantId, { from, to });
      if (!lift) throw refuse('no_control_group');
      return { from: from.toISOString(), to: to.toISOString(), percent: controlGroup.percent, ...lift };
    },
  });
}
