import type { Database } from './database.ts';

/** A statement that is sent so often that each connection keeps it parsed and planned, under its name. */
export interface Prepared {
  /** Unique; at most 63 characters. */
  name: string;
  /** With `:names` in place of values. */
  sql: string;
}

interface Answer {
  fields: { name: string }[];
  rows: unknown[][];
}

/** What knex lends: a connection of the driver. Of a transaction it is always the same one. */
interface Lender {
  acquireConnection(): Promise<{
    query(config: { name: string; text: string; values: unknown[]; rowMode: 'array' }): Promise<Answer>;
  }>;
  releaseConnection(connection: unknown): Promise<void>;
  emit(event: 'query' | 'query-response', ...given: unknown[]): void;
}

interface Positioned {
  text: string;
  keys: string[];
  /** Of the columns, once they are known. */
  names: string[] | undefined;
}

const known = new WeakMap<Prepared, Positioned>();

/** The statement with `$1`, `$2` … in place of its names; what else looks like one, as in `HH24:MI`, stays. */
function positioned(prepared: Prepared, bindings: Record<string, unknown>): Positioned {
  const before = known.get(prepared);
  if (before) return before;
  const keys: string[] = [];
  const text = prepared.sql.replaceAll(/(?<!:):([a-z]\w*)/gi, (found, key: string) =>
    key in bindings ? `$${keys.push(key)}` : found,
  );
  const made = { text, keys, names: undefined };
  known.set(prepared, made);
  return made;
}

const camelCase = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase());

/**
 * The rows of a prepared statement, by the driver itself: knex would rewrite the statement on each call, which costs as much
 * as a small one takes. Whoever listens to knex hears of it, too.
 * @throws Error of the driver, with its SQLSTATE as `code`; `KnexTimeoutError` without a free connection.
 */
export async function preparedRows<Row>(
  database: Database,
  prepared: Prepared,
  bindings: Record<string, unknown>,
): Promise<Row[]> {
  const statement = positioned(prepared, bindings);
  const values = statement.keys.map((key) => {
    if (bindings[key] === undefined) throw new TypeError(`${prepared.name} has no ${key}`);
    return bindings[key];
  });
  const lender = database.client as Lender;
  const connection = await lender.acquireConnection();
  try {
    const query = { sql: statement.text, bindings: values };
    lender.emit('query', query);
    const answer = await connection.query({ name: prepared.name, text: statement.text, values, rowMode: 'array' });
    lender.emit('query-response', answer, query);
    const names = (statement.names ??= answer.fields.map((field) => camelCase(field.name)));
    return answer.rows.map((row) => Object.fromEntries(names.map((column, index) => [column, row[index]])) as Row);
  } finally {
    await lender.releaseConnection(connection);
  }
}

/** The first row of a prepared statement, or null. */
export async function firstPrepared<Row>(
  database: Database,
  prepared: Prepared,
  bindings: Record<string, unknown>,
): Promise<Row | null> {
  const [row] = await preparedRows<Row>(database, prepared, bindings);
  return row ?? null;
}
