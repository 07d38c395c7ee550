import type { Tag } from '#domain/api/tags.ts';
import { rows } from '#db/database.ts';
import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';
import { inDatabase } from './database.ts';
import { named } from './plans.ts';

const { serviceNumberId } = tenant;

/** Of the club's members: those who left it again, and those who came lately, when as an interval. */
const times = { joined: '30 days', left: '12 days', joinedLately: '5 days', known: '60 days' };

/** As if the club had begun a month ago: what is written by the interfaces is of today. */
function moveBack(databaseUrl: string, tagId: string, lately: string[]): Promise<void> {
  const given = { ...times, tagId, lately, serviceNumberId };
  return inDatabase(databaseUrl, async (database) => {
    await database.transaction(async (transaction) => {
      const change = (sql: string) => rows(transaction, sql, given);
      await change('update tag set created_at = created_at - :joined::interval where tag_id = :tagId');
      await change(
        `update tag_assignment set assigned_at = assigned_at
           - case when contact_id = any(:lately) then :joinedLately::interval else :joined::interval end where tag_id = :tagId`,
      );
      await change(
        `update tag_assignment_past set since = since - :joined::interval, until = until - :left::interval
         where tag_id = :tagId`,
      );
      // Contacts have been known for longer than their tags. What they were before is not: they came as they are.
      await change(
        `update contact_profile set changed_at = changed_at - :known::interval where service_number_id = :serviceNumberId`,
      );
      await change('delete from contact_profile_past where service_number_id = :serviceNumberId and since > until');
    });
  });
}

/** A club that contacts joined and left over the last weeks, and an audience of its members, to be asked about earlier times. */
export async function seedHistory(
  { api, databaseUrl }: { api: JsonClient; databaseUrl: string },
  { lapsed, contactIds }: { lapsed: Tag; contactIds: string[] },
): Promise<void> {
  const club = { name: 'Cupping club', serviceNumberId, kind: 'permanent', color: '#4d7c0f' };
  const { tagId, contactCount } = await named<Tag>(api, '/tags', club);
  await named(api, '/audiences', {
    name: 'Cupping club, still around',
    serviceNumberId,
    type: 'segment',
    segment: { all: [{ tag: tagId }, { not: { tag: lapsed.tagId } }] },
  });
  if (contactCount > 0) return;
  const path = `/tags/${tagId}/assignments`;
  const [founders, leavers, lately] = [contactIds.slice(0, 60), contactIds.slice(60, 90), contactIds.slice(90, 110)];
  await api.post(path, { contactIds: [...founders, ...leavers] });
  await api.delete(path, { contactIds: leavers });
  await api.post(path, { contactIds: lately });
  await moveBack(databaseUrl, tagId, lately);
}
