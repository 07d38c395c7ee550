import type { NonceOfCall } from '#db/bff/nonces.ts';

/**
 * Concurrent calls of this process with the same nonce: one goes first, and the others wait for its result. Across
 * processes, the insert of the nonce decides.
 */
export interface NonceHolds {
  /**
   * Undefined if the nonce is free; the caller then holds it until `settle`. Otherwise another call holds it, and the
   * promise tells whether that call used it up.
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
