import { type Database, firstRow, rows } from '#db/database.ts';
import { atMicroseconds, toMicroseconds } from '../sql-fragments.ts';

/** A table whose rows may name a contact anywhere in their text, and have no index by contact. */
interface ScannedTable {
  table: 'event_inbox' | 'audit_log';
  /** When a row was written, and its id: the tenant's rows are indexed by both. */
  at: string;
  id: string;
  columns: string;
  /** SQL condition: the row may name the contact, whose id is bound as `contactId` and, as JSON has it, as `needle`. */
  mayName: string;
  /** Rows scanned by one statement. */
  step: number;
  /** Rows that are held at a time. */
  page: number;
}

/** Rows of a tenant that may name the contact, the oldest first, a page at a time; nothing is locked. */
export async function* rowsThatMayName<Row extends { at: string; id: string }>(
  database: Database,
  { tenantId, contactId }: { tenantId: string; contactId: string },
  { table, at, id, columns, mayName, step, page }: ScannedTable,
): AsyncGenerator<Row[]> {
  const needle = JSON.stringify(contactId).slice(1, -1);
  const position = `${toMicroseconds(at)} as at, ${id} as id`;
  let after: { at: string; id: string } = { at: '-62135596800000000', id: '' };
  for (;;) {
    const later = `tenant_id = :tenantId and (${at}, ${id}) > (${atMicroseconds('at')}, :id)`;
    const last: { at: string; id: string } | null = await firstRow(
      database,
      `select ${position} from ${table} where ${later} order by ${table}.${at}, ${id} offset :step::int - 1 limit 1`,
      { tenantId, step, ...after },
    );
    const within = last ? `and (${at}, ${id}) <= (${atMicroseconds('lastAt')}, :lastId)` : '';
    for (;;) {
      const found: Row[] = await rows<Row>(
        database,
        `select ${position}, ${columns} from ${table} where ${later} ${within} and (${mayName})
         order by ${table}.${at}, ${id} limit :page`,
        { tenantId, contactId, needle, page, ...after, lastAt: last?.at, lastId: last?.id },
      );
      if (found.length > 0) yield found;
      const end = found.at(-1);
      if (!end || found.length < page) break;
      after = { at: end.at, id: end.id };
    }
    if (!last) return;
    after = { at: last.at, id: last.id };
  }
}
