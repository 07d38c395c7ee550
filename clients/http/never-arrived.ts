/** What is known about a call that ended without a complete response. */
export interface FailedCall {
  /** Whether the request may have been written to a connection, in part or as a whole. */
  sent: boolean;
  code: string;
}

/** Nobody could be found, connected to or trusted at the address. */
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
 * Whether the call certainly had no effect. Codes alone cannot tell: ECONNRESET and EHOSTUNREACH come before a request is
 * written as well as after it.
 */
export const neverArrived = ({ sent }: FailedCall): boolean => !sent;

/**
 * Whether the call never arrived because nobody can be reached, which an immediate retry would not change. A call that ran
 * out of time, or failed for a reason of our own, is not among these even where nothing was sent.
 */
export const isUnreachable = (failure: FailedCall): boolean =>
  neverArrived(failure) && unreachableCodes.has(failure.code);
