import type { FieldError } from '../api/problem.ts';

/** Every code of the order service with its HTTP status and message; 1000 is success. */
export const orderCodes = {
  1000: { status: 200, message: 'OK' },
  90001: { status: 400, message: 'The request is malformed' },
  90002: { status: 401, message: 'No valid session' },
  90003: { status: 403, message: 'Not allowed for this tenant or role' },
  90015: { status: 400, message: 'District points cannot be used on goods of an enterprise' },
  90029: { status: 429, message: 'Too often; try again after the seconds in Retry-After' },
  90039: { status: 409, message: 'Not enough in stock' },
  90041: { status: 400, message: 'The order has neither money, nor points, nor a coupon' },
  90044: { status: 400, message: 'carrierId must be a slash followed by 7 characters' },
  90200: { status: 404, message: 'There is no such order for this tenant' },
  90201: { status: 400, message: 'A tenant, goods, option or coupon does not exist or is not usable' },
  90202: { status: 409, message: 'The status of the order does not allow this' },
  90203: { status: 400, message: 'moneyAmount and grossMoneyAmount do not match the computed amounts' },
  90204: { status: 409, message: 'The tenant has no payment gateway shop' },
  90205: { status: 409, message: 'The key was used for another request' },
  90206: { status: 409, message: 'The payment gateway does not show the charge as paid' },
  90207: { status: 400, message: 'The deductions exceed the amount' },
  90208: { status: 400, message: 'walletPoints must be a multiple of 4' },
  90209: { status: 412, message: 'Somebody has changed it since it was read' },
  90212: { status: 400, message: 'tenantPoints do not fit the goods' },
  90213: { status: 400, message: 'earnLimitInfos are missing or do not add up to tenantPoints' },
  90300: { status: 409, message: 'Not enough points' },
  90301: { status: 503, message: 'It is not yet known whether the points are reserved; try again' },
  90303: { status: 502, message: 'The payment gateway rejected the charge' },
  90304: { status: 503, message: 'The payment gateway has not responded yet; it is safe to pay again' },
  90999: { status: 500, message: 'Something went wrong on our side; the request id finds it in the logs' },
} as const;

export type OrderCode = keyof typeof orderCodes;
export type OrderErrorCode = Exclude<OrderCode, 1000>;

/** Codes whose `data` contains the statuses. */
export const codesWithStatuses: readonly OrderErrorCode[] = [90301, 90303, 90304];

/** An error with a numeric code; thrown anywhere below a route, sent as `{code, message, data, requestId}`. */
export class OrderError extends Error {
  override name = 'OrderError';
  readonly code: OrderErrorCode;
  /** The statuses, for 90301, 90303 and 90304. */
  readonly data: object | null;
  readonly errors: FieldError[] | undefined;
  /** Set if it differs from the code's own (413, 415). */
  readonly status: number;

  constructor(
    code: OrderErrorCode,
    more: { message?: string; data?: object; errors?: FieldError[]; status?: number; cause?: unknown } = {},
  ) {
    super(more.message ?? orderCodes[code].message, { cause: more.cause });
    this.code = code;
    this.data = more.data ?? null;
    this.errors = more.errors;
    this.status = more.status ?? orderCodes[code].status;
  }
}
