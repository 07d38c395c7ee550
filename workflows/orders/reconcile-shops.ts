import {
  ChildWorkflowFailure,
  continueAsNew,
  executeChild,
  isCancellation,
  log,
  ParentClosePolicy,
  patched,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { OrdersActivities } from '#activities/orders/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import {
  type ReconcileChargesInput,
  reconcileDetails,
  reconcileSummary,
  reconcileWorkflowId,
} from '../contracts/orders/reconcile-charges.ts';
import type { ReconcileShopsInput, ReconcileShopsResult } from '../contracts/orders/reconcile-shops.ts';
import { bizStatusAttribute, tenantAttribute } from '../contracts/search-attributes.ts';
import { reconcileCharges } from './reconcile-charges.ts';

const { missingDays, shopsToReconcile } = proxyActivities<Pick<OrdersActivities, 'missingDays' | 'shopsToReconcile'>>(
  activityProfiles.database,
);

/** Runs that were recorded before compared one day alone. */
const MISSING_DAYS = 'missing-days';

/** How many tenants are compared at the same time: the gateway also serves payers. */
const LANES = 5;

const DAY_MS = 24 * 60 * 60_000;

/** The day before the time the Schedule meant, also if it started the run late. */
function dayBefore(): string {
  const scheduled = workflowInfo().searchAttributes['TemporalScheduledStartTime']?.[0];
  const at = scheduled instanceof Date ? scheduled.getTime() : Date.now();
  return new Date(at - DAY_MS).toISOString().slice(0, 10);
}

/** @returns false if it failed; a run that somebody started by hand counts as compared. */
async function compareTenant(run: ReconcileChargesInput): Promise<boolean> {
  try {
    await executeChild(reconcileCharges, {
      workflowId: reconcileWorkflowId(run),
      args: [run],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: reconcileSummary(run),
      staticDetails: reconcileDetails,
      typedSearchAttributes: [tenantAttribute(run.tenantId)],
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return true;
    if (!(error instanceof ChildWorkflowFailure) || isCancellation(error)) throw error;
    log.warn('a tenant’s charges could not be compared', { workflowId: error.execution.workflowId });
    return false;
  }
}

/** The days before that these tenants lack, by tenant, the oldest first. */
async function missingBefore(date: string, tenantIds: string[]): Promise<Map<string, string[]>> {
  const missing = new Map<string, string[]>();
  if (!patched(MISSING_DAYS)) return missing;
  for (const day of await missingDays({ tenantIds, before: date }))
    missing.set(day.tenantId, [...(missing.get(day.tenantId) ?? []), day.date]);
  return missing;
}

/** What a run has compared so far. */
interface Total {
  compared: number;
  failed: number;
}

async function compareDays(
  tenantId: string,
  dates: readonly string[],
  compare: (day: ReconcileChargesInput) => Promise<void>,
) {
  for (const date of dates) await compare({ tenantId, date });
}

/** Every tenant that has a shop, a few at a time. */
async function compareShops(
  { input, date, total }: { input: ReconcileShopsInput; date: string; total: Total },
  compare: (day: ReconcileChargesInput) => Promise<void>,
): Promise<void> {
  let after = input.soFar?.after ?? null;
  for (;;) {
    const tenants = await shopsToReconcile({ after });
    after = tenants.at(-1) ?? null;
    if (after === null) return;
    // A copy: the lanes take from the list.
    const missing = await missingBefore(date, [...tenants]);
    const lane = async () => {
      for (let tenantId = tenants.shift(); tenantId !== undefined; tenantId = tenants.shift())
        await compareDays(tenantId, [...(missing.get(tenantId) ?? []), date], compare);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew({ ...input, date, soFar: { after, ...total } } satisfies ReconcileShopsInput);
  }
}

/**
 * Compares every tenant that has a shop: the day, and those before it that were missed or failed; or one tenant, and those
 * alone. The failure of one does not concern the others.
 */
export async function reconcileShops(input: ReconcileShopsInput = {}): Promise<ReconcileShopsResult> {
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'RECONCILING' }]);
  const { tenantId, date = dayBefore(), patienceMs } = input;
  const total: Total = { compared: input.soFar?.compared ?? 0, failed: input.soFar?.failed ?? 0 };
  const show = () =>
    setCurrentDetails(
      `Charges of ${date} and of days missed before: ${total.compared} days compared, ${total.failed} could not be.`,
    );
  const compare = async (day: ReconcileChargesInput) => {
    const compared = await compareTenant({ ...day, ...(patienceMs === undefined ? {} : { patienceMs }) });
    total[compared ? 'compared' : 'failed'] += 1;
    show();
  };
  show();
  if (tenantId === undefined) await compareShops({ input, date, total }, compare);
  else {
    const days = await missingDays({ tenantIds: [tenantId], before: date });
    await compareDays(
      tenantId,
      days.map((day) => day.date),
      compare,
    );
  }
  upsertSearchAttributes([{ key: bizStatusAttribute, value: total.failed === 0 ? 'RECONCILED' : 'FAILED' }]);
  return total;
}
