/** What is known about a call that ended without a complete response. */
export interface FailedCall {
  /** Whether the request may have been written to a connection, in part or in full. */
  sent: boolean;
  code: string;
}

/** The address could not be resolved, connected to or trusted. */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/**
 * Whether the call certainly had no effect. Codes alone cannot tell: ECONNRESET and EHOSTUNREACH occur both before
 * and after a request is written.
 */
export const neverArrived = ({ sent }: FailedCall): boolean => !sent;

/**
 * Whether the call never arrived because nobody can be reached, which an immediate retry would not change. Excludes
 * calls that timed out or failed for a reason of our own, even if nothing was sent.
 */
export const isUnreachable = (failure: FailedCall): boolean =>
  neverArrived(failure) && unreachableCodes.has(failure.code);
