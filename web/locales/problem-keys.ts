import { problems } from '../../domain/api/problem.ts';
import { fieldErrorCodes, schemaErrorCodes } from '../../domain/field-errors.ts';
import { flatten } from './differences.ts';

/** What can go wrong without an answer of the API. */
const withoutResponse = ['network', 'defect'];

/** Keys of words that a problem or refused field needs, and a locale lacks; empty when it can tell of each. */
export function missingProblemKeys(locale: unknown): string[] {
  const said = flatten(locale);
  const codes = [...Object.keys(problems), ...withoutResponse];
  return [
    ...codes.flatMap((code) => [`problem.${code}.title`, `problem.${code}.advice`]),
    ...[...Object.keys(fieldErrorCodes), ...schemaErrorCodes].map((code) => `problem.field.${code}`),
  ].filter((key) => !said.get(key));
}
