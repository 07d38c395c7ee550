import { rows } from '#db/database.ts';
import { takeOver } from '#db/place.ts';
import type { Submission } from './platform.ts';
import type { World } from './state.ts';

/** While nobody had taken over the copied database, in milliseconds since the epoch; the last one may go on. */
export interface Copied {
  from: number;
  until: number;
}

/** From now on the database is one that was started elsewhere. */
export async function copy({ database, clock, copied }: World): Promise<string> {
  await rows(
    database,
    `insert into database_place (system_identifier, database_oid, taken_by) values ('7', 1, 'elsewhere')
     on conflict (only_row) do update set database_oid = excluded.database_oid`,
    {},
  );
  if (copied.at(-1)?.until !== Infinity) copied.push({ from: clock.elsewhere(), until: Infinity });
  return 'started elsewhere';
}

/** Somebody takes the database over. */
export async function adopt({
  database,
  clock,
  copied,
}: Pick<World, 'database' | 'clock' | 'copied'>): Promise<string> {
  await database.transaction((transaction) => takeOver(transaction, 'operator'));
  const last = copied.at(-1);
  if (last?.until !== Infinity) return 'it is here';
  last.until = clock.elsewhere();
  return 'taken over';
}

/** What was submitted before anybody had taken the database over. */
export const complaintsAboutCopies = (submissions: Submission[], copied: Copied[]): string[] =>
  submissions.flatMap(({ at, contactIds }) =>
    copied.some(({ from, until }) => at > from && at < until)
      ? [`${contactIds.join(', ')} were submitted by a database that was started elsewhere`]
      : [],
  );
