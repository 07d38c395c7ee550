/** SQL that gives a timestamp as whole microseconds, for cursors: a Date would cut them off and repeat or lose rows. */
export function toMicroseconds(column: string): string {
  return `(extract(epoch from ${column}) * 1000000)::bigint`;
}

/** SQL that gives the timestamp of the microseconds bound as `name`. */
export function atMicroseconds(name: string): string {
  return `(timestamptz 'epoch' + :${name} * interval '1 microsecond')`;
}
