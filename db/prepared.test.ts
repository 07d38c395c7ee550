import { expect } from 'chai';
import { useDatabase } from '../test/support/fixtures/database.ts';
import { rows, type Transaction } from './database.ts';
import { sqlStateOf } from './errors.ts';
import { preparedRows, type Prepared } from './prepared.ts';

describe('prepared statements', () => {
  const database = useDatabase('outreach');
  const echo: Prepared = {
    name: 'echo',
    sql: `select :first::int as first_number, :second::text[] as texts, :first::int + 1 as after, to_char(timestamp '2026-01-01', 'HH24:MI:SS') as midnight`,
  };
  const echoed = (connection: typeof database | Transaction, first: number) =>
    preparedRows(connection, echo, { first, second: ['a "b"', null, '{}'] });

  it('take values by name and return rows as any other statement does', async () => {
    expect(await echoed(database, 1)).to.deep.equal([
      { firstNumber: 1, texts: ['a "b"', null, '{}'], after: 2, midnight: '00:00:00' },
    ]);
  });

  it('are planned a few times, and then never again', async () => {
    await database.transaction(async (transaction) => {
      for (let n = 0; n < 20; n += 1) await echoed(transaction, n);
      const [kept] = await rows<{ genericPlans: number; customPlans: number }>(
        transaction,
        `select generic_plans, custom_plans from pg_prepared_statements where name = 'echo'`,
        {},
      );
      expect(kept?.customPlans).to.be.at.most(5);
      expect(kept?.genericPlans).to.be.at.least(15);
    });
  });

  it('are part of their transaction, and fail with their SQLSTATE', async () => {
    const divide: Prepared = { name: 'divide', sql: 'select 1 / :by::int as quotient' };
    const failed = await database
      .transaction((transaction) => preparedRows(transaction, divide, { by: 0 }))
      .catch((error: unknown) => error);
    expect(sqlStateOf(failed)).to.equal('22012');
    expect(await preparedRows(database, divide, { by: 1 })).to.deep.equal([{ quotient: 1 }]);
    const forgotten = await preparedRows(database, divide, { by: undefined }).catch((error: unknown) => error);
    expect(String(forgotten)).to.equal('TypeError: divide has no by');
  });
});
