import type { Database } from '#db/database.ts';

/** The statements, begin and commit included, that `work` sends to the database; nothing else may use it meanwhile. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const note = ({ sql }: { sql: string }) => sent.push(sql.replaceAll(/\s+/g, ' '));
  database.on('query', note);
  try {
    await work();
  } finally {
    database.removeListener('query', note);
  }
  return sent;
}
