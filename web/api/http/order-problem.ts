import type { FieldError } from '#domain/api/problem.ts';
import type { OrderErrorCode } from '#domain/orders/codes.ts';
import type { Envelope, PayData } from '#domain/orders/responses.ts';
import { problemOf } from './problem.ts';

/** An error of the order service, with its numeric code; errors of the BFF are ApiProblems. */
export class OrderProblem extends Error {
  override name = 'OrderProblem';
  readonly code: OrderErrorCode;
  /** The statuses, if they come with the code. */
  readonly statuses: PayData | null;
  readonly requestId: string;
  readonly errors: FieldError[];

  constructor({ code, message, data, requestId, errors }: Envelope) {
    super(message);
    this.code = code as OrderErrorCode;
    this.statuses = data as PayData | null;
    this.requestId = requestId;
    this.errors = errors ?? [];
  }
}

/** The codes of problem documents, which come from the BFF, are strings. */
function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number';
}

/** Reads the data from the envelope; throws OrderProblem, or ApiProblem if there is no envelope. */
export async function readEnveloped(response: Response): Promise<unknown> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (!isEnvelope(body)) throw await problemOf(response);
  if (body.code !== 1000) throw new OrderProblem(body);
  return body.data;
}
