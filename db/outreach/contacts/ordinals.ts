/**
 * SQL: the ordinal that the contact of `row` has on the service number of its campaign, which sets of bits count it by; null
 * without a profile. One look into each of two primary keys.
 */
export const ordinalOfContact = (row: string, campaignId = `${row}.campaign_id`): string => `(
  select p.ordinal from contact_profile p where p.tenant_id = ${row}.tenant_id and p.contact_id = ${row}.contact_id
    and p.service_number_id = (select c.service_number_id from campaign c where c.campaign_id = ${campaignId}))`;
