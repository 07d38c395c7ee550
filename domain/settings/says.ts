/**
 * What docs/settings.md says of a setting: what it does, and what applies if it is not set, where the schema has no
 * default, or one that is not for reading.
 */
export const says = (description: string, unset?: string) => ({
  description,
  ...(unset === undefined ? {} : { unset }),
});
