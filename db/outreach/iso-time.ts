/** SQL for a time as answers have it, for objects that PostgreSQL builds. */
export function isoOf(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
