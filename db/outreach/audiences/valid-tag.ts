import { type AudienceRelations, presentRelations } from './relations.ts';

/** SQL: whether the row of a tag is valid at `:now`. */
export const isValid = `(status <> 'expired' and coalesce(expires_at > :now, true))`;

/** SQL: whether the tenant's tag that is bound as `tag` is valid; null if the tenant has no such tag. */
export const isValidTag = (tag: string, { tag: tags }: AudienceRelations = presentRelations): string =>
  `(select ${isValid} from ${tags()} where tenant_id = :tenantId and tag_id = :${tag})`;

/** SQL: whether a tag is there, or was at `:asOf` if that is given. */
export const isThere = (asOf: Date | undefined): string =>
  asOf ? `(status <> 'archived' or archived_at > :asOf)` : `status <> 'archived'`;
