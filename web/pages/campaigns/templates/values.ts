import type { TemplateVariable } from '#domain/api/templates.ts';

/** What the fields of variables begin with. */
export const usualValues = (variables: readonly TemplateVariable[]): Record<string, string> =>
  Object.fromEntries(variables.map(({ name, default: usual }) => [name, usual ?? '']));

/** Whether each variable has a value. */
export const areFilled = (values: Readonly<Record<string, string>>): boolean =>
  Object.values(values).every((value) => value.trim() !== '');
