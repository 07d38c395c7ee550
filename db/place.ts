import { type Database, firstRow, rows, type Transaction } from './database.ts';

/**
 * Where a database is. A copy of it, or what was restored into another cluster, is another place: whoever starts that may not
 * know that the first one goes on sending. A copy of the cluster's files is the same place.
 */
export interface Place {
  /** PostgreSQL gives each cluster one of its own when it is made. As text: it is above 2^53. */
  systemIdentifier: string;
  databaseOid: number;
}

const systemIdentifier = '(select system_identifier::text from pg_control_system())';
const databaseOid = '(select oid from pg_database where datname = current_database())';

/**
 * SQL: whether the database was started in another place before, and nobody has taken it over. Each schema from which something
 * goes out has the table. It is part of the statement that claims, and no process remembers it: one may have been started
 * before the restore, and reach the restored database by a new connection.
 */
export const startedElsewhere = `exists (select from database_place p
  where p.system_identifier <> ${systemIdentifier} or p.database_oid <> ${databaseOid})`;

/** Notes the place where the database is started first. */
export async function noteFirstPlace(database: Database): Promise<void> {
  await rows(
    database,
    `insert into database_place (system_identifier, database_oid, taken_by)
     select ${systemIdentifier}, ${databaseOid}, 'first start' where not exists (select from database_place)
     on conflict do nothing`,
    {},
  );
}

/** @throws Error where the database was started elsewhere. */
export async function refuseElsewhere(database: Database): Promise<void> {
  const found = await firstRow<{ elsewhere: boolean }>(database, `select ${startedElsewhere} as elsewhere`, {});
  if (found?.elsewhere)
    throw new Error('the database was started elsewhere: nothing is sent until npm run adopt or npm run restored');
}

/**
 * Takes the database over, so that this place may send.
 * @returns where it was before; null if it was here, or nowhere.
 */
export async function takeOver(transaction: Transaction, by: string): Promise<Place | null> {
  const before = await firstRow<Place>(
    transaction,
    `select system_identifier, database_oid from database_place where ${startedElsewhere} for update`,
    {},
  );
  await rows(
    transaction,
    `insert into database_place as p (system_identifier, database_oid, taken_by)
     select ${systemIdentifier}, ${databaseOid}, :by
     on conflict (only_row) do update set system_identifier = excluded.system_identifier,
       database_oid = excluded.database_oid, taken_at = now(), taken_by = excluded.taken_by
     where (p.system_identifier, p.database_oid) <> (excluded.system_identifier, excluded.database_oid)`,
    { by },
  );
  return before;
}
