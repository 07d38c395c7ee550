type IsoTime<Value> = Value extends Date ? string : Value;

/** A record with its times as the wire has them. */
export type WithIsoTimes<Row> = { [Name in keyof Row]: IsoTime<Row[Name]> };

/** Turns the times of a record into ISO 8601; times inside its values stay what they are. */
export function withIsoTimes<Row extends object>(row: Row): WithIsoTimes<Row> {
  const fields = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(fields) as WithIsoTimes<Row>;
}
