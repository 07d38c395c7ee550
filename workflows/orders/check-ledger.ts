import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { OrdersActivities } from '#activities/orders/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import type { CheckLedgerInput, CheckLedgerResult } from '../contracts/orders/check-ledger.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

const { checkAccounts, recordLedgerCheck } = proxyActivities<
  Pick<OrdersActivities, 'checkAccounts' | 'recordLedgerCheck'>
>(activityProfiles.database);

/** How many accounts and orders are named: enough to find the cause. */
const NAMED = 100;

/** Compares balances, and the cash of orders, with their entries, part by part, and stores how many differ. */
export async function checkLedger({ soFar }: CheckLedgerInput = {}): Promise<CheckLedgerResult> {
  upsertSearchAttributes([{ key: bizStatusAttribute, value: 'CHECKING' }]);
  let { accounts, drift, details } = soFar ?? { accounts: 0, drift: 0, details: [] };
  let after = soFar?.after ?? null;
  do {
    const page = await checkAccounts({ after });
    accounts += page.accounts;
    drift += page.drifting.length;
    details = [...details, ...page.drifting].slice(0, NAMED);
    after = page.next;
    setCurrentDetails(
      `Checked ${accounts} accounts, and the cash of orders; ${drift} of them do not fit their entries.`,
    );
    if (after !== null && workflowInfo().continueAsNewSuggested)
      await continueAsNew({ soFar: { after, accounts, drift, details } } satisfies CheckLedgerInput);
  } while (after !== null);
  await recordLedgerCheck({ accounts, drift, details });
  upsertSearchAttributes([{ key: bizStatusAttribute, value: drift === 0 ? 'CHECKED' : 'DRIFTING' }]);
  return { accounts, drift };
}
