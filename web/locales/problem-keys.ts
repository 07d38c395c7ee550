import { problems } from '#domain/api/problem.ts';
import { fieldErrorCodes, schemaErrorCodes } from '#domain/api/field-errors.ts';
import { flatten } from './differences.ts';

/** Failures without a response of the API. */
const withoutResponse = ['network', 'defect'];

/** Keys of the texts that a problem or invalid field needs and a locale lacks; empty if there is one for each. */
export function missingProblemKeys(locale: unknown): string[] {
  const reported = flatten(locale);
  const codes = [...Object.keys(problems), ...withoutResponse];
  return [
    ...codes.flatMap((code) => [`problem.${code}.title`, `problem.${code}.advice`]),
    ...[...Object.keys(fieldErrorCodes), ...schemaErrorCodes].map((code) => `problem.field.${code}`),
  ].filter((key) => !reported.get(key));
}
