import { ApplicationFailure } from '@temporalio/common';
import type { Context } from '@temporalio/activity';
import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
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

  it('reports the SQLSTATE to Temporal, and the values of the row to the log alone', async () => {
    const failure = await failureOf(async () => await database.raw(`select 'Kanarienvogel'::uuid`));
    expect(failure).to.be.instanceOf(ApplicationFailure).and.include({ type: 'error', nonRetryable: false });
    const { message, stack, cause } = failure as ApplicationFailure;
    expect(message).to.equal('A statement failed: SQLSTATE 22P02');
    expect(`${stack}`).to.not.contain('Kanarienvogel');
    expect(cause).to.equal(undefined);
    expect(logged).to.have.length(1);
    expect(JSON.stringify(logged, (_, value: unknown) => (value instanceof Error ? value.message : value))).to.contain(
      'Kanarienvogel',
    );
  });

  it('leaves every other failure as it is', async () => {
    const other = ApplicationFailure.create({ message: 'not ours', type: 'GatewayUnclear' });
    expect(await failureOf(() => Promise.reject(other))).to.equal(other);
    expect(await failureOf(() => Promise.resolve('done'))).to.equal('done');
  });
});
