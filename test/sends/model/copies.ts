import { rows } from '#db/database.ts';
import { takeOver } from '#db/place.ts';
import { countClaims } from './claims.ts';
import type { Submission } from './platform.ts';
import type { World } from './state.ts';

/** While nobody had taken over the copied database, in milliseconds since the epoch; the last one may go on. */
export interface Copied {
  from: number;
  until: number;
  /** How often sub-tasks had been claimed when it began, and in the end. */
  claims: number[];
}

/** From now on the database is one that was started elsewhere. */
export async function copy(world: World): Promise<string> {
  const { database, clock, copied } = world;
  await rows(
    database,
    `insert into database_place (system_identifier, database_oid, taken_by) values ('7', 1, 'elsewhere')
     on conflict (only_row) do update set database_oid = excluded.database_oid`,
    {},
  );
  if (copied.at(-1)?.until === Infinity) return 'started elsewhere before';
  const from = clock.elsewhere();
  // The next moment: what was under way has been claimed by then.
  await clock.sleep(1);
  copied.push({ from, until: Infinity, claims: [await countClaims(world)] });
  return 'started elsewhere';
}

/** Somebody takes the database over. */
export async function adopt(world: Pick<World, 'database' | 'clock' | 'copied' | 'tenant'>): Promise<string> {
  const { database, clock, copied } = world;
  const last = copied.at(-1);
  if (last?.until === Infinity) last.claims.push(await countClaims(world));
  await database.transaction((transaction) => takeOver(transaction, 'operator'));
  if (last?.until !== Infinity) return 'it is here';
  last.until = clock.elsewhere();
  return 'taken over';
}

/** What was submitted before anybody had taken the database over. */
export const complaintsAboutCopies = (submissions: Submission[], copied: Copied[]): string[] => [
  ...copied.flatMap(({ claims }) =>
    (claims.at(-1) ?? 0) > (claims[0] ?? 0) ? ['something was claimed by a database that was started elsewhere'] : [],
  ),
  ...submissions.flatMap(({ at, contactIds }) =>
    copied.some(({ from, until }) => at > from && at < until)
      ? [`${contactIds.join(', ')} were submitted by a database that was started elsewhere`]
      : [],
  ),
];
