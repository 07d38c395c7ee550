import type { Backtest } from '#domain/api/rules.ts';
import { Problem } from '#domain/api/problem.ts';
import { type EventTrigger, NO_RESPONSE, RULE_HISTORY_DAYS } from '#domain/rules/triggers.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import { isOutOfTime } from '#db/errors.ts';
import type { RuleRecord } from '../rules.ts';
import { createFoundTable, readFound } from './found-contacts.ts';
import { findInEvents } from './matching-events.ts';
import { assertPeriod, type Period } from './period.ts';
import { findSilent } from './silent-contacts.ts';
import { outOfTime, shareTimeLeft, type TimeLimit, timeLimit } from './time-limit.ts';

export interface BacktestOptions {
  now: Date;
  /** For how many days events are kept. */
  eventsDays: number;
  limit?: TimeLimit;
}

/** The lock, the table of what is found, and the rule's service number. */
const statementsToBegin = 3;

const isEventRule = (rule: RuleRecord): rule is RuleRecord & { triggerEvent: EventTrigger } =>
  rule.triggerEvent !== NO_RESPONSE;

/** Until the transaction ends. A backtest can read millions of rows: a tenant that clicks again gets no second one. */
async function lockBacktests(transaction: Transaction, tenantId: string): Promise<void> {
  const lock = await firstRow<{ granted: boolean }>(
    transaction,
    `select pg_try_advisory_xact_lock(hashtextextended('backtest ' || :tenantId, 0)) as granted`,
    { tenantId },
  );
  if (lock?.granted) return;
  const detail = 'Another backtest of this tenant is under way; try again once it has ended';
  throw new Problem('unavailable', detail, { retryAfterSeconds: 10 });
}

async function findContacts(
  transaction: Transaction,
  tenantId: string,
  rule: RuleRecord,
  within: { period: Period; now: Date; limit: TimeLimit },
): Promise<Backtest> {
  await shareTimeLeft(transaction, within.limit, statementsToBegin);
  await lockBacktests(transaction, tenantId);
  if (isEventRule(rule)) return await findInEvents(transaction, tenantId, rule, within);
  await createFoundTable(transaction);
  await findSilent(transaction, tenantId, rule, within);
  await shareTimeLeft(transaction, within.limit, 1);
  return await readFound(transaction);
}

/**
 * The contacts that the rule would have tagged, in the order in which it would have, whether or not it is paused or its
 * tag expired: the same result as live processing of the same events. Reads a single snapshot of the database and
 * changes nothing. When it rejects, nothing goes on in the database.
 * @throws Problem `invalid_content` for an impossible period, `too_large` if it does not end in time (50 s unless
 * `limit` says otherwise), `unavailable` while another backtest of the tenant is under way.
 */
export async function backtestRule(
  database: Database,
  tenantId: string,
  rule: RuleRecord,
  period: Period,
  { now, eventsDays, limit = timeLimit() }: BacktestOptions,
): Promise<Backtest> {
  assertPeriod(period, now, Math.min(eventsDays, RULE_HISTORY_DAYS));
  try {
    return await database.transaction(
      (transaction) => findContacts(transaction, tenantId, rule, { period, now, limit }),
      { isolationLevel: 'repeatable read' },
    );
  } catch (error) {
    throw isOutOfTime(error) ? outOfTime(error) : error;
  }
}
