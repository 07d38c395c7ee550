import type { z } from 'zod';
import type { FieldErrorCode, FieldErrorParams, SchemaErrorCode } from './field-errors.ts';

interface SchemaError {
  code: FieldErrorCode | SchemaErrorCode;
  params?: FieldErrorParams;
}

const tooBig: Record<string, SchemaErrorCode> = { string: 'too_long', array: 'too_many' };
const formats: Record<string, SchemaErrorCode> = { url: 'no_address', datetime: 'no_moment' };

function ofTooSmall({ origin, minimum }: z.core.$ZodIssueTooSmall): SchemaError {
  if (origin === 'string') return { code: 'blank' };
  return { code: origin === 'array' ? 'too_few' : 'too_low', params: { limit: Number(minimum) } };
}

/** Why a schema rejects a value, as a code with its limit, which a client can translate. */
export function schemaErrorOf(issue: z.core.$ZodIssue): SchemaError {
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'wrong_kind' };
    case 'invalid_value':
      return { code: 'no_choice' };
    case 'too_big':
      return { code: tooBig[issue.origin] ?? 'too_high', params: { limit: Number(issue.maximum) } };
    case 'too_small':
      return ofTooSmall(issue);
    case 'invalid_format':
      return { code: formats[issue.format] ?? 'malformed' };
    case 'invalid_union':
      return { code: issue.discriminator ? 'no_choice' : 'malformed' };
    case 'custom':
      return { code: (issue.params?.['code'] as SchemaError['code'] | undefined) ?? 'malformed' };
    default:
      return { code: 'malformed' };
  }
}
