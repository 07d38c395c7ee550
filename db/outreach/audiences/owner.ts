/** Owner of an audience. */
export interface AudienceOwner {
  tenantId: string;
  serviceNumberId: string;
}

/** The audience's owner, and its place in the caller's body, for example `/audience`. */
export interface AudienceScope extends AudienceOwner {
  path: string;
  /** A tag that was archived afterwards is as good as any. */
  asOf?: Date | undefined;
}
