import {
  ActivityFailure,
  ApplicationFailure,
  continueAsNew,
  isCancellation,
  patched,
  proxyActivities,
  rootCause,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { OrdersActivities } from '#activities/orders/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import type {
  ReconcileChargesInput,
  ReconcileChargesResult,
  ReconciliationProgress,
} from '../contracts/orders/reconcile-charges.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const rows = proxyActivities<
  Pick<OrdersActivities, 'beginReconciliation' | 'countBeingMended' | 'finishReconciliation' | 'failReconciliation'>
>(activityProfiles.database);

/** Runs that were recorded before compared charges alone. */
const REFUNDS = 'refunds-of-the-day';

/** How long the gateway may fail if the input does not say. */
const PATIENCE_MS = 60 * 60_000;

/** A page reads up to a hundred charges one by one. */
const PAGE_MS = 10 * 60_000;

/** Lost callbacks and late money have about a minute in total; what is left then is reported. */
const MENDING_WAITS_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

const comparing = (patienceMs: number = PATIENCE_MS) =>
  proxyActivities<Pick<OrdersActivities, 'compareListedRefunds' | 'compareListedCharges' | 'compareAcceptedCharges'>>({
    ...activityProfiles.remote,
    startToCloseTimeout: Math.min(PAGE_MS, patienceMs),
    scheduleToCloseTimeout: patienceMs,
    summary: 'up to 100 charges',
  });

/** The page after this one; null at the end of both lists. */
async function comparePage(
  run: ReconcileChargesInput,
  { shopId, charges, next }: Omit<ReconciliationProgress, 'next'> & { next: ReconciliationProgress['next'] | null },
): Promise<{ charges: number; next: ReconciliationProgress['next'] | null }> {
  const { tenantId, date, patienceMs } = run;
  const day = { tenantId, date, shopId };
  const { compareListedCharges, compareAcceptedCharges } = comparing(patienceMs);
  if (next?.list === 'ours') {
    const page = await compareAcceptedCharges({ day, after: next.after });
    return { charges, next: page.next && { list: 'ours', after: page.next } };
  }
  const page = await compareListedCharges({ day, cursor: next?.list === 'theirs' ? next.cursor : null });
  const total = charges + page.charges;
  if (page.nextCursor !== null) return { charges: total, next: { list: 'theirs', cursor: page.nextCursor } };
  setCurrentDetails('Comparing the charges that were accepted here and that the gateway has not listed.');
  const own = await compareAcceptedCharges({ day, after: null });
  return { charges: total, next: own.next && { list: 'ours', after: own.next } };
}

/** The gateway's list of the day, then ours, page by page. @returns the number of paid charges. */
async function comparePages(run: ReconcileChargesInput, shopId: string): Promise<number> {
  let charges = run.soFar?.charges ?? 0;
  let next = run.soFar?.next ?? null;
  do {
    ({ charges, next } = await comparePage(run, { shopId, charges, next }));
    setCurrentDetails(`Compared ${charges} paid charges of the gateway’s list so far.`);
    if (next !== null && workflowInfo().continueAsNewSuggested)
      await continueAsNew({ ...run, soFar: { shopId, charges, next } } satisfies ReconcileChargesInput);
  } while (next !== null);
  return charges;
}

async function awaitMending(day: { tenantId: string; date: string }): Promise<void> {
  for (const wait of MENDING_WAITS_MS) {
    const count = await rows.countBeingMended(day);
    if (count === 0) return;
    setCurrentDetails(`Waiting for ${count} lost callbacks, late payments or refunds to be acted on.`);
    await sleep(wait, { summary: 'until their orders have acted on them' });
  }
}

/** The gateway's refunds of the day, page by page; a later run of the same comparison has them behind it. */
async function compareRefunds(run: ReconcileChargesInput, shopId: string): Promise<void> {
  const { tenantId, date, patienceMs, soFar } = run;
  if (soFar && soFar.next.list !== 'refunds') return;
  if (!patched(REFUNDS)) return;
  let cursor = soFar?.next.list === 'refunds' ? soFar.next.cursor : null;
  do {
    const page = await comparing(patienceMs).compareListedRefunds({ day: { tenantId, date, shopId }, cursor });
    cursor = page.nextCursor;
    if (cursor !== null && workflowInfo().continueAsNewSuggested) {
      const next = { list: 'refunds' as const, cursor };
      await continueAsNew({ ...run, soFar: { shopId, charges: 0, next } } satisfies ReconcileChargesInput);
    }
  } while (cursor !== null);
  // A charge whose refund is booked by now does not differ.
  await awaitMending({ tenantId, date });
}

async function compareDay(run: ReconcileChargesInput): Promise<ReconcileChargesResult> {
  const { tenantId, date } = run;
  const shopId = run.soFar?.shopId ?? (await rows.beginReconciliation({ tenantId, date }))?.shopId;
  if (shopId === undefined) throw ApplicationFailure.nonRetryable(`${tenantId} has no shop`, 'NoShop');
  await compareRefunds(run, shopId);
  const charges = await comparePages(run, shopId);
  await awaitMending({ tenantId, date });
  const result = await rows.finishReconciliation({ tenantId, date, charges });
  const { differences, mended } = result;
  setCurrentDetails(`${charges} paid charges compared; ${differences} differences, ${mended} of them mended.`);
  return { charges, ...result };
}

/**
 * Compares a tenant's charges of one day with the payment gateway's, and acts on what it shows as paid and we have not
 * recorded.
 * @throws ApplicationFailure `ReconciliationFailed` if not all can be compared.
 */
export async function reconcileCharges(run: ReconcileChargesInput): Promise<ReconcileChargesResult> {
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'RECONCILING' }]);
  try {
    const result = await compareDay(run);
    upsertSearchAttributes([{ key: bizStatusAttribute, value: 'RECONCILED' }]);
    return result;
  } catch (error) {
    const failed = error instanceof ActivityFailure || error instanceof ApplicationFailure;
    if (!failed || isCancellation(error)) throw error;
    const reason = rootCause(error) ?? 'no reason given';
    await rows.failReconciliation({ tenantId: run.tenantId, date: run.date, reason });
    upsertSearchAttributes([{ key: bizStatusAttribute, value: 'FAILED' }]);
    setCurrentDetails(`Not all charges could be compared: ${reason}`);
    throw ApplicationFailure.nonRetryable(reason, 'ReconciliationFailed');
  }
}
