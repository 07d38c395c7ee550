import { connect } from '#db/connection.ts';
import { type Database, rows } from '#db/database.ts';
import { isBusy } from '#db/errors.ts';
import { until } from './patience.ts';

/** For what no interface offers and only the demonstration needs: that something happened earlier. */
export async function inDatabase(url: string, change: (database: Database) => Promise<void>): Promise<void> {
  const database = connect({ url, schema: 'outreach', applicationName: 'demo', pool: { max: 1 } });
  try {
    // Everything of the demonstration begins at once: a connection may take longer than a service would wait for it.
    await until('the database accepts a connection', () =>
      rows(database, 'select 1', {}).then(
        () => true,
        (error: unknown) => {
          if (isBusy(error)) return false;
          throw error;
        },
      ),
    );
    await change(database);
  } finally {
    await database.destroy();
  }
}
