import { type Database, rows, type Transaction } from '#db/database.ts';

/** In each connection of a pool: those that are open stay as they began. */
async function inEach(database: Database, work: (on: Transaction) => Promise<unknown>): Promise<void> {
  const { max } = (database.client as { pool: { max: number } }).pool;
  const transactions = await Promise.all(Array.from({ length: max }, () => database.transaction()));
  await Promise.all(
    transactions.map(async (transaction) => {
      await work(transaction);
      await transaction.commit();
    }),
  );
}

/** From now on the database takes no writes, as one of a server that is demoted or full; or it takes them again. */
export async function setReadOnly(database: Database, to: 'on' | 'off'): Promise<void> {
  const [here] = await rows<{ name: string }>(database, 'select current_database() as name', {});
  await database.transaction(async (transaction) => {
    await transaction.raw('set transaction read write');
    await transaction.raw('alter role current_user in database ?? set default_transaction_read_only = ??', [
      here?.name ?? '',
      to,
    ]);
  });
  await inEach(database, (on) => on.raw('set default_transaction_read_only = ??', [to]));
}
