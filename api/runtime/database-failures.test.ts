import { ApplicationFailure } from '@temporalio/common';
import type { Context } from '@temporalio/activity';
import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { CampaignRow } from '#db/outreach/models/campaigns.ts';
import { withoutValues } from './database-failures.ts';

describe('an activity whose statement fails', () => {
  const database = useDatabase('outreach');
  const logged: unknown[] = [];
  const context = { info: { activityType: 'anActivity', workflowExecution: { workflowId: 'w', runId: 'r' } } };

  async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
    const { inbound } = withoutValues({ warn: (...given: unknown[]) => void logged.push(given) })(
      context as unknown as Context,
    );
    return inbound?.execute?.({ args: [], headers: {} }, work).catch((error: unknown) => error);
  }

  const statements: [string, string, () => Promise<unknown>][] = [
    ['a statement', 'error', async () => await database.raw(`select 'Kanarienvogel'::uuid`)],
    [
      'a query of a model',
      'DataError',
      async () => await CampaignRow.query(database).whereRaw(`'Kanarienvogel'::uuid is null`),
    ],
  ];
  for (const [what, type, work] of statements)
    it(`reports the SQLSTATE of ${what} to Temporal, and the values of the row to the log alone`, async () => {
      const failure = await failureOf(work);
      expect(failure).to.be.instanceOf(ApplicationFailure).and.include({ type, nonRetryable: false });
      const { message, stack, cause } = failure as ApplicationFailure;
      expect(message).to.equal('A statement failed: SQLSTATE 22P02');
      expect(`${stack}`).to.not.contain('Kanarienvogel');
      expect(cause).to.equal(undefined);
      expect(logged).to.have.length(1);
      expect(
        JSON.stringify(logged.splice(0), (_, value: unknown) => (value instanceof Error ? value.message : value)),
      ).to.contain('Kanarienvogel');
    });

  it('is tried again soon, however often it was, where the database takes no writes', async () => {
    const failure = await failureOf(() =>
      database.transaction(async (transaction) => {
        await transaction.raw('set transaction read only');
        await transaction.raw('create table written ()');
      }),
    );
    expect(failure).to.include({
      message: 'A statement failed: SQLSTATE 25006',
      nextRetryDelay: 5000,
      nonRetryable: false,
    });
  });

  it('leaves every other failure as it is', async () => {
    const other = ApplicationFailure.create({ message: 'not ours', type: 'GatewayUnclear' });
    expect(await failureOf(() => Promise.reject(other))).to.equal(other);
    expect(await failureOf(() => Promise.resolve('done'))).to.equal('done');
  });
});
