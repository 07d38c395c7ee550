import { z } from 'zod';
import type { ZodType } from 'zod';
import { header, SandboxError } from '../http/route.ts';
import type { ApiResponse, Call, Handler } from '../http/route.ts';
import type { Charges, KeyedResponse } from './charges.ts';

/** What a description says of an operation that takes an Idempotency-Key. */
export const keyed = { access: 'key', headers: z.object({ 'idempotency-key': z.string().min(1) }) } as const;

type Result = Pick<KeyedResponse, 'status' | 'body'>;

/** Once a request has been looked at, a rejection is a result like any other. */
function resultOf(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof SandboxError) return { status: error.status, body: error.body };
    throw error;
  }
}

/** Returns a key's first response to every retry, for ever, also if it was a rejection. */
export function once(
  charges: Charges,
  operation: KeyedResponse['operation'],
  handle: (call: Call, key: string) => Result,
  repeated: (earlier: KeyedResponse) => void = () => {},
): Handler {
  return (call): ApiResponse => {
    const key = header(call, 'idempotency-key');
    if (!key) throw new SandboxError(400, 'idempotency_key_missing', 'the header Idempotency-Key is missing');
    const earlier = charges.responseTo(operation, key);
    if (earlier) {
      repeated(earlier);
      return { status: earlier.status, body: earlier.body };
    }
    const result = resultOf(() => handle(call, key));
    charges.keepResponse({ operation, key, ...result });
    return result;
  };
}

function jsonOf({ body }: Call): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The body of a keyed request.
 * @throws Refusal 422 `invalid_request` naming the first invalid field
 */
export function read<Body>(call: Call, schema: ZodType<Body>): Body {
  const parsed = schema.safeParse(jsonOf(call));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SandboxError(422, 'invalid_request', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
