import { calendarOperations } from '#domain/api/calendar.ts';
import { calendarPeriodOf } from '#domain/period.ts';
import { readCalendar } from '#db/outreach/campaigns/calendar.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import { withIsoTimes } from '#api/backend/iso-times.ts';

/** What went out, and what is going to, by day. */
export function calendarRoutes(serve: ServeActor, { database }: BackendDeps): void {
  serve(calendarOperations.getCalendar, {
    handle: async ({ actor: { tenantId }, query: { serviceNumberId, ...asked } }) => {
      const scope = { tenantId, serviceNumberId, ...calendarPeriodOf(asked) };
      const { items, hasMore } = await readCalendar(database, scope);
      return { items: items.map((item) => withIsoTimes(item)), hasMore };
    },
  });
}
