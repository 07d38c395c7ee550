import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, mapPage, moment, pageOf } from '#domain/cursor.ts';
import { type Database, rows } from '../database.ts';
import { atMicroseconds, toMicroseconds } from './sql-fragments.ts';

/** One kind of item in a list that is merged from several tables. */
export interface MergedBranch<Kind extends string = string> {
  kind: Kind;
  /** SQL for when it happened. */
  at: string;
  /** SQL that tells two items of the same time apart. */
  id: string;
  /** SQL for a JSON object: the item's fields except `at` and `kind`. */
  detail: string;
  /** The tables and the condition, including `where`. */
  from: string;
}

/** One branch returns no more rows than the page needs. The hash keeps a cursor short whatever the ids are. */
function branchSql({ kind, at, id, detail, from }: MergedBranch, resumed: boolean): string {
  return `(select '${kind}' as kind, ${at} as happened_at, md5(${id}) as id, ${detail} as detail from ${from}
    ${resumed ? `and (${at}, '${kind}', md5(${id})) < (${atMicroseconds('at')}, :kind, :id)` : ''}
    order by 2 desc, 3 desc limit :rows)`;
}

/** The statement for one page, newest first: from the start, or after the position bound as `at`, `kind` and `id`. */
export function mergedSql(branches: readonly MergedBranch[], resumed: boolean): string {
  const parts = branches.map((branch) => branchSql(branch, resumed));
  return `select kind, happened_at, ${toMicroseconds('happened_at')} as at, id, detail
    from (${parts.join(' union all ')}) items order by happened_at desc, kind desc, id desc limit :rows`;
}

interface MergedRecord {
  kind: string;
  happenedAt: Date;
  at: string;
  id: string;
  detail: object;
}

/** One page of the rows that `sql` (from mergedSql) returns for these bindings. @throws Problem `invalid_request`. */
export async function readMerged<Item extends { kind: string; at: string }>(
  database: Database,
  sql: (resumed: boolean) => string,
  bindings: Record<string, unknown>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Item>> {
  const after = decodeCursor(z.tuple([moment, keyText, keyText]), cursor);
  const found = await rows<MergedRecord>(database, sql(after !== undefined), {
    ...bindings,
    at: after?.[0] ?? null,
    kind: after?.[1] ?? null,
    id: after?.[2] ?? null,
    rows: limit + 1,
  });
  return mapPage(
    pageOf(found, limit, (row) => [row.at, row.kind, row.id]),
    ({ kind, happenedAt, detail }) => ({ ...detail, kind, at: happenedAt.toISOString() }) as unknown as Item,
  );
}
