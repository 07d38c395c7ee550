import type { Backtest } from '#domain/api/rules.ts';
import type { EventTrigger } from '#domain/rules/triggers.ts';
import { firstRow, type Transaction } from '#db/database.ts';
import { isDataError, sqlStateOf } from '#db/errors.ts';
import type { RuleRecord } from '../rules.ts';
import { findByKind } from './matching-kinds.ts';
import type { Period } from './period.ts';
import { findOneByOne } from './single-events.ts';
import { shareTimeLeft, type TimeLimit } from './time-limit.ts';

const TOO_DEEP = '54001';

/** Valid JSON that PostgreSQL does not accept: it has limits of its own for numbers, characters and depth. */
const isUnreadable = (error: unknown) => isDataError(error) || sqlStateOf(error) === TOO_DEEP;

async function serviceNumberOf(transaction: Transaction, { targetTagId }: RuleRecord): Promise<string> {
  const tag = await firstRow<{ serviceNumberId: string }>(
    transaction,
    'select service_number_id from tag where tag_id = :targetTagId',
    { targetTagId },
  );
  return tag?.serviceNumberId ?? '';
}

/** The contacts of the events to which the rule applies. */
export async function findInEvents(
  transaction: Transaction,
  tenantId: string,
  rule: RuleRecord & { triggerEvent: EventTrigger },
  within: { period: Period; limit: TimeLimit },
): Promise<Backtest> {
  const scope = { ...rule, serviceNumberId: await serviceNumberOf(transaction, rule) };
  try {
    return await transaction.transaction((savepoint) => findByKind(savepoint, tenantId, scope, within));
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    await shareTimeLeft(transaction, within.limit, 2);
    return await findOneByOne(transaction, tenantId, scope, within);
  }
}
