import { setTimeout as delay } from 'node:timers/promises';
import type { FakeCharge, GatewayCall, GatewayFault } from '../support/fake-gateway.ts';
import type { OpenShop } from '../support/shop.ts';

/**
 * How the next call of an operation fails. `lost`: an effect without a response; `reset`: neither; `busy`: an error
 * response without an effect; `rejected`: the gateway refuses for good; `unreached`: the request certainly had no
 * effect; `phantom`: the response says so, but the charge was made; `slow`: it takes a while, in which others act.
 */
export const faultKinds = {
  create: ['lost', 'reset', 'busy', 'slow', 'slow', 'rejected', 'unreached', 'phantom'],
  read: ['reset', 'busy', 'slow'],
  cancel: ['lost', 'reset', 'busy', 'slow'],
  refund: ['lost', 'reset', 'busy', 'slow', 'rejected'],
} as const;
export type FaultyOperation = keyof typeof faultKinds;
export interface PlannedFault {
  operation: FaultyOperation;
  kind: (typeof faultKinds)[FaultyOperation][number];
}

/** What the gateway does to the calls about one shop. */
export interface ShopFaults {
  planned: PlannedFault[];
  /** Charges that the service was told were never made. */
  phantoms: Set<string>;
  /** Tells what the fault may do to the order. */
  onFault: (orderNo: string, fault: PlannedFault) => void;
}

const SLOW_MS = 1200;

const rejection: GatewayFault = { response: [422, { code: 'shop_closed' }] };
const unreached: GatewayFault = { response: [404, {}] };

/** Deals out the planned faults, shop by shop; what was answered for good to a key is repeated for ever. */
export function createGatewayFaults({ gateway }: Pick<OpenShop, 'gateway'>) {
  const shops = new Map<string, ShopFaults>();
  /** Keys the gateway has processed. */
  const processed = new Set<string>();
  const rejected = new Set<string>();

  function shopOf({ body, chargeId }: GatewayCall): string {
    return String(body['shopId'] ?? gateway.charges.get(chargeId ?? '')?.shopId);
  }

  const orderNoOf = ({ body, chargeId }: GatewayCall): string =>
    String(body['orderNo'] ?? gateway.charges.get(chargeId ?? '')?.orderNo);

  function makePhantom(faults: ShopFaults, { body }: GatewayCall): void {
    const chargeId = `ch-phantom-${processed.size}-${gateway.charges.size}`;
    const made = { chargeId, status: 'pending', createdAt: new Date().toISOString(), refundedAmount: 0 };
    gateway.charges.set(chargeId, { ...(body as unknown as FakeCharge), ...(made as Partial<FakeCharge>) });
    faults.phantoms.add(chargeId);
  }

  function take({ planned }: ShopFaults, call: GatewayCall, known: boolean): PlannedFault | undefined {
    const index = planned.findIndex(
      ({ operation, kind }) =>
        operation === call.operation && !(known && ['rejected', 'unreached', 'phantom'].includes(kind)),
    );
    return index < 0 ? undefined : planned.splice(index, 1)[0];
  }

  function fault(call: GatewayCall): GatewayFault | undefined {
    const key = `${call.operation} ${call.idempotencyKey}`;
    if (call.idempotencyKey && rejected.has(key)) return rejection;
    const faults = shops.get(shopOf(call));
    const taken = faults && take(faults, call, processed.has(key));
    if (faults && taken) faults.onFault(orderNoOf(call), taken);
    const effective = !taken || taken.kind === 'lost' || taken.kind === 'slow';
    if (effective && call.idempotencyKey) processed.add(key);
    switch (taken?.kind) {
      case 'lost':
      case 'reset':
        return taken.kind;
      case 'slow':
        return { holdUntil: delay(SLOW_MS) };
      case 'busy':
        return { response: [503, {}] };
      case 'rejected':
        rejected.add(key);
        return rejection;
      case 'phantom':
        if (faults) makePhantom(faults, call);
        return unreached;
      case 'unreached':
        return unreached;
      case undefined:
        return undefined;
    }
  }

  gateway.state.fault = fault;
  return {
    open(shopId: string, onFault: ShopFaults['onFault']): ShopFaults {
      const faults: ShopFaults = { planned: [], phantoms: new Set(), onFault };
      shops.set(shopId, faults);
      return faults;
    },
    /** Forgets a shop and its charges, and the calls so far: a long run must not remember everything. */
    close(shopId: string): void {
      shops.delete(shopId);
      for (const [chargeId, charge] of gateway.charges) if (charge.shopId === shopId) gateway.charges.delete(chargeId);
      gateway.calls.length = 0;
    },
  };
}
