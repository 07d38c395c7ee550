import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { isStatementError, sqlStateOf, takesNoWrites } from '#db/errors.ts';
import type { Logger } from './logger.ts';

/** It is not known when writes are taken again, and an activity whose attempts are far apart by then would wait on. */
const WRITES_AGAIN_MS = 5000;

/**
 * Keeps what PostgreSQL reports out of histories: its messages quote the values of a row. The log has the error itself;
 * the failure, its type and the SQLSTATE. Where nothing can be written, the next attempt follows soon.
 */
export function withoutValues(logger: Pick<Logger, 'warn'>): ActivityInterceptorsFactory {
  return ({ info: { activityType, workflowExecution } }) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          if (!(error instanceof Error) || !isStatementError(error)) throw error;
          logger.warn({ err: error, activityType, ...workflowExecution }, 'a statement of an activity failed');
          const message = `A statement failed: SQLSTATE ${sqlStateOf(error)}`;
          const again = takesNoWrites(error) ? { nextRetryDelay: WRITES_AGAIN_MS } : {};
          throw ApplicationFailure.create({ message, type: error.name, ...again });
        }
      },
    },
  });
}
