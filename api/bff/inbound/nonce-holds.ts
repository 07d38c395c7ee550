import type { NonceOfCall } from '../../../db/bff/nonces.ts';

/**
 * Calls of this process that show the same nonce at once: one goes first, the others wait for what becomes of it. Between
 * processes the insert of the nonce decides.
 */
export interface NonceHolds {
  /**
   * Undefined: it is free, and the caller's until `settle`. Else another call holds it, and the promise says whether that
   * one used it up.
   */
  hold(call: NonceOfCall): Promise<boolean> | undefined;
  settle(call: NonceOfCall, used: boolean): void;
}

export function createNonceHolds(): NonceHolds {
  const held = new Map<string, { ended: Promise<boolean>; end: (used: boolean) => void }>();
  const keyOf = (call: NonceOfCall): string => `${call.tenantIntegrationId}:${call.nonce}`;
  return {
    hold(call) {
      const other = held.get(keyOf(call));
      if (other) return other.ended;
      let end: (used: boolean) => void = () => undefined;
      const ended = new Promise<boolean>((resolve) => {
        end = resolve;
      });
      held.set(keyOf(call), { ended, end });
      return undefined;
    },
    settle(call, used) {
      const mine = held.get(keyOf(call));
      held.delete(keyOf(call));
      mine?.end(used);
    },
  };
}
