import type { z } from 'zod';
import type { envelope, PayData } from '../../../domain/orders/responses.ts';
import type { OrderErrorCode } from '../../../domain/orders/codes.ts';
import { addressOf } from './client.ts';
import { credentials } from './credentials.ts';
import { type OrderOperationName, type OrderOperations, orderRoutes } from './order-operations.ts';
import { problemOf, unreachable } from './problem.ts';

type Envelope = z.infer<ReturnType<typeof envelope<z.ZodUnknown>>>;
type Body<Name extends OrderOperationName> = z.input<OrderOperations[Name]['body']>;
type Query<Name extends OrderOperationName> = z.input<OrderOperations[Name]['query']>;
type Data<Name extends OrderOperationName> = z.output<OrderOperations[Name]['response']>;
type OrderCall<Name extends OrderOperationName> = {
  params?: { id: string };
  query?: { [Key in keyof Query<Name>]: Query<Name>[Key] | undefined };
  signal?: AbortSignal;
} & (undefined extends Body<Name> ? { body?: undefined } : { body: Body<Name> });

/** A refusal of the order service, with its numeric code; what the BFF refuses is an ApiProblem. */
export class OrderProblem extends Error {
  override name = 'OrderProblem';
  readonly code: OrderErrorCode;
  /** The statuses, where the code comes with them. */
  readonly statuses: PayData | null;
  readonly requestId: string;

  constructor({ code, message, data, requestId }: Envelope) {
    super(message);
    this.code = code as OrderErrorCode;
    this.statuses = data as PayData | null;
    this.requestId = requestId;
  }
}

/** An answer, and how far the service's clock is ahead of this browser's, in milliseconds. */
export interface OrderResponse<Name extends OrderOperationName> {
  data: Data<Name>;
  clockAheadMs: number;
}

async function send(path: string, method: string, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch(path, {
      method: method.toUpperCase(),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable(error);
  }
}

function clockAhead(response: Response): number {
  const served = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(served) ? 0 : served - Date.now();
}

/**
 * Calls the order service through the BFF with the cookie session.
 * @throws OrderProblem where the service refuses, ApiProblem where the way to it does, AbortError when aborted
 */
export async function callOrders<Name extends OrderOperationName>(
  name: Name,
  { params, query, body, signal }: OrderCall<Name>,
): Promise<OrderResponse<Name>> {
  const { method, path } = orderRoutes[name];
  const address = addressOf({ path: `/api/v1/transaction/v1${path}` }, { params, query });
  const response = await send(address, method, body, signal);
  // The sign-in takes the page away; until then the refusal is shown.
  if (response.status === 401) await credentials.renew();
  const result: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (!isEnvelope(result)) throw await problemOf(response);
  if (result.code !== 1000) throw new OrderProblem(result);
  return { data: result.data as Data<Name>, clockAheadMs: clockAhead(response) };
}

/** The BFF's own refusals are problem documents, whose code is a word. */
function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number';
}
