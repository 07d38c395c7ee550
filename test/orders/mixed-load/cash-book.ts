import { rows } from '#db/database.ts';
import type { Charge } from '#sandbox/payment-gateway/charges.ts';
import type { Stack } from '#test/support/services/stack.ts';
import { keptByGateway } from './accounts.ts';
import type { Shop } from './market.ts';

interface Balance {
  tenantId: string;
  account: string;
  minor: number;
}

function balancesOf(stack: Stack): Promise<Balance[]> {
  const database = stack.database.connect('orders', 'owner');
  return rows<Balance>(
    database,
    'select tenant_id, account, sum(amount_minor)::bigint as minor from cash_entry group by 1, 2',
    {},
  );
}

/**
 * At rest nobody owes anything, nothing is left to give back, and the gateway holds what its own charges say; money of
 * other systems that staff left with it is not ours.
 */
export async function cashDifferences(stack: Stack, shops: readonly Shop[], charges: readonly Charge[]) {
  const balances = await balancesOf(stack);
  return shops.flatMap(({ tenantId, shopId }) => {
    const of = (account: string) =>
      balances.find((balance) => balance.tenantId === tenantId && balance.account === account)?.minor ?? 0;
    const kept = charges
      .filter((charge) => charge.shopId === shopId && !charge.orderNo.startsWith('foreign-'))
      .reduce((total, charge) => total + keptByGateway(charge), 0);
    const expected = {
      receivable: 0,
      refunds: 0,
      elsewhere: 0,
      disputed: 0,
      gateway: kept,
      sales: kept === 0 ? 0 : -kept,
    };
    return Object.entries(expected)
      .filter(([account, minor]) => of(account) !== minor)
      .map(([account, minor]) => `${tenantId} ${account}: ${of(account)} instead of ${minor}`);
  });
}

/** Has every balance of points compared with its entries. @returns how many differ */
export async function checkLedger({ temporal }: Stack): Promise<string[]> {
  const { drift } = await temporal.client.workflow.execute<() => Promise<{ drift: number }>>('checkLedger', {
    taskQueue: 'orders',
    workflowId: 'check-ledger-of-the-load',
    args: [],
  });
  return drift === 0 ? [] : [`${drift} accounts of points drift`];
}
