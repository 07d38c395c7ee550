/** SQL: whether the row of a tag is valid at `:now`. */
export const isValid = `(status <> 'expired' and coalesce(expires_at > :now, true))`;

/** SQL: whether the tenant's tag that is bound as `tag` is valid; null if the tenant has no such tag. */
export const isValidTag = (tag: string): string =>
  `(select ${isValid} from tag where tenant_id = :tenantId and tag_id = :${tag})`;
