/** Owner of an audience. */
export interface AudienceOwner {
  tenantId: string;
  serviceNumberId: string;
}
