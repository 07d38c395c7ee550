interface KeyedRefund {
  refundId: string;
  keyNumber: number;
}

/** The first request has the plain key; a request after a rejection has one that the gateway has not seen. */
export const refundKey = ({ refundId, keyNumber }: KeyedRefund): string =>
  keyNumber === 1 ? `refund:${refundId}` : `refund:${refundId}:${keyNumber}`;

/** The ids of refunds of ours that may have had this key: an id may itself end like the number of a key. */
export function ownRefundIds(key: string | null): string[] {
  const [, rest] = /^refund:(.+)$/s.exec(key ?? '') ?? [];
  if (rest === undefined) return [];
  const [, plain] = /^(.+):\d+$/s.exec(rest) ?? [];
  return plain === undefined ? [rest] : [rest, plain];
}
