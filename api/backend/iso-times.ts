type IsoTime<Value> = Value extends Date ? string : Value;

/** A record with its times as they appear on the wire. */
export type WithIsoTimes<Row> = { [Name in keyof Row]: IsoTime<Row[Name]> };

/** Converts a record's own times to ISO 8601; times nested inside its values stay unchanged. */
export function withIsoTimes<Row extends object>(row: Row): WithIsoTimes<Row> {
  const fields = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(fields) as WithIsoTimes<Row>;
}
