import { MESSAGES_PER_VARIANT as each } from '#domain/campaigns/variants/variants.ts';
import { OTHERWISE } from '#domain/campaigns/cases/limits.ts';
import { startedElsewhere } from '#db/place.ts';

/** SQL for a time as the API writes it, for objects that PostgreSQL builds. */
export function isoOf(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * SQL for a timestamp in whole microseconds as text (`moment` in domain/cursor.ts), for cursors: a Date would truncate
 * it and repeat or lose rows.
 */
export function toMicroseconds(column: string): string {
  return `(extract(epoch from ${column}) * 1000000)::bigint::text`;
}

/** SQL for the timestamp of the microseconds bound as `name`; in two parts, since an interval is multiplied as double. */
export function atMicroseconds(name: string): string {
  return `(timestamptz 'epoch' + :${name}::bigint / 1000000 * interval '1 second'
    + :${name}::bigint % 1000000 * interval '1 microsecond')`;
}

/**
 * SQL: whether the tenant of the row `alias` has an ACTIVE integration; nothing is sent for any other tenant, nor for anybody
 * from a database that was started elsewhere.
 */
export const integrationActive = (alias: string): string =>
  `(exists (select 1 from tenant_integration i where i.tenant_id = ${alias}.tenant_id and i.status = 'ACTIVE')
    and not ${startedElsewhere})`;

/**
 * SQL: our own constants as a list of literals. The planner uses a partial index only if the index's condition
 * appears in the statement, and a bound parameter would hide it.
 */
export const literalsOf = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** SQL: the name of a case, as JSON, by its number. */
export const caseName = (number: string): string =>
  `(case ${number} when ${OTHERWISE} then '"otherwise"'::jsonb else to_jsonb(${number}) end)`;

/** SQL: the messages that are sent to everybody, or to the contacts of the case with this number. */
const messagesIn = (messages: string, messagesBy: string, number: string) =>
  `coalesce(nullif(${messages}, 'null'::jsonb), case ${number} when ${OTHERWISE} then ${messagesBy} -> 'otherwise'
    else ${messagesBy} -> 'cases' -> ${number} -> 'messages' end)`;

/** SQL: the message of the campaign `alias` that the click `click` is about. */
export function messageOfClick(alias: string, click: string): string {
  const place = `${click}.message_index`;
  const other = `${alias}.variants -> 'others' -> (${place} / ${each} - 1)`;
  const number = `${click}.message_case`;
  return `(case when ${place} < ${each} then ${messagesIn(`${alias}.messages`, `${alias}.messages_by`, number)}
    else ${messagesIn(`(${other} -> 'messages')`, `(${other} -> 'messagesBy')`, number)} end -> (${place} % ${each}))`;
}

/** SQL: in lower case by Unicode alone: the database's own locale may know no letters but those of ASCII. */
export const folded = (text: string): string => `lower(${text} collate "pg_c_utf8")`;
