import type { Mutant } from '../mutant.ts';

const signature = 'domain/signature.ts';
const signed = ['domain/signature.test.ts'];
const keys = ['api/bff/routes/api-keys/route.test.ts'];

/** Signatures, nonces, keys and tokens, and whose rows are whose. */
export const ofAccess: readonly Mutant[] = [
  {
    file: signature,
    from: '.update(tenantIntegrationId).update(nonce).update(body)',
    to: '.update(tenantIntegrationId).update(body)',
    tests: signed,
    why: 'a call can be repeated with another nonce',
  },
  {
    file: signature,
    from: '.update(tenantIntegrationId).update(nonce).update(body)',
    to: '.update(nonce).update(body)',
    tests: signed,
    why: 'a call of one integration can be sent for another',
  },
  {
    file: signature,
    from: 'return expected.length === given.length && timingSafeEqual(expected, given);',
    to: 'return expected.length === given.length;',
    tests: signed,
    why: 'every signature is accepted',
  },
  {
    file: signature,
    from: 'export const NONCE = /^[0-9a-f]{32}$/;',
    to: 'export const NONCE = /^[0-9a-f]{1,32}$/;',
    tests: signed,
    why: 'characters can be shifted between nonce and body',
  },
  {
    file: 'api/bff/inbound/signed-call.ts',
    from: `return now < replaced.acceptedUntil ? 'replaced' : 'late';`,
    to: `return 'replaced';`,
    tests: ['api/bff/inbound/signed-call.test.ts'],
    why: 'a secret is accepted after its grace period',
  },
  {
    file: 'api/bff/inbound/signed-call.ts',
    from: 'if (!appSecrets.some((secret) => signatureMatches(secret, call, call.appSignature)))',
    to: 'if (appSecrets.length === 0)',
    tests: ['api/bff/inbound/signed-call.test.ts'],
    why: 'a lifecycle call needs no signature of the application',
  },
  {
    file: 'db/bff/nonces.ts',
    from: 'where n.tenant_integration_id = given.tenant_integration_id and n.nonce = given.nonce',
    to: 'where n.tenant_integration_id = given.tenant_integration_id and n.nonce = given.nonce and false',
    tests: ['db/bff/nonces.test.ts'],
    why: 'a call that is replayed is accepted',
  },
  {
    file: 'db/bff/nonces.ts',
    from: 'where n.tenant_integration_id = given.tenant_integration_id and n.nonce = given.nonce',
    to: 'where n.nonce = given.nonce',
    tests: ['db/bff/nonces.test.ts'],
    why: 'one integration uses up the nonces of another',
  },
  {
    file: 'db/bff/nonces.ts',
    from: `inserting('null')`,
    to: "inserting(`now() + interval '7 days'`)",
    tests: ['db/bff/nonces.test.ts'],
    why: 'an install can be replayed after a week',
  },
  {
    file: 'db/bff/nonces.ts',
    from: 'where kept_until < now() limit',
    to: 'where kept_until is null or kept_until < now() limit',
    tests: ['db/bff/nonces.test.ts'],
    why: 'nonces of lifecycle calls are forgotten',
  },
  {
    file: 'db/bff/nonces.ts',
    from: 'inserted.delete(`${call.tenantIntegrationId}:${call.nonce}`)',
    to: 'inserted.has(`${call.tenantIntegrationId}:${call.nonce}`)',
    tests: ['db/bff/nonces.test.ts'],
    why: 'of two calls with one nonce both count as first',
  },
  {
    file: 'db/bff/api-keys.ts',
    from: 'revoked_at is null and (expires_at',
    to: '(expires_at',
    tests: keys,
    why: 'a revoked key goes on working',
  },
  {
    file: 'db/bff/api-keys.ts',
    from: 'and (expires_at is null or expires_at > now())',
    to: '',
    tests: keys,
    why: 'an expired key goes on working',
  },
  {
    file: 'db/bff/api-keys.ts',
    from: `.where({ keyId, platformTenantId })
    .whereNull`,
    to: `.where({ keyId })
    .whereNull`,
    tests: keys,
    why: 'one tenant revokes the keys of another',
  },
  {
    file: 'domain/keys/scopes.ts',
    from: "(access === 'read' ? [`${area}:read`, `${area}:write`] : [`${area}:write`])",
    to: '[`${area}:read`, `${area}:write`]',
    tests: ['domain/keys/scopes.test.ts'],
    why: 'a key for reading writes',
  },
  {
    file: 'domain/keys/scopes.ts',
    from: 'if (area === undefined || onlyPeople ||',
    to: 'if (area === undefined ||',
    tests: ['domain/keys/scopes.test.ts'],
    why: 'a key does what only people may do',
  },
  {
    file: 'commands/bff/commit-rotation.ts',
    from: "if (integration?.status !== 'ACTIVE' || !row || row.expiresAt <= new Date()) return null;",
    to: "if (integration?.status !== 'ACTIVE' || !row) return null;",
    tests: ['commands/bff/rotations.test.ts'],
    why: 'a secret becomes current after its caller was told that it did not',
  },
  {
    file: 'db/outreach/tenants/tool-tokens.ts',
    from: '.findById([tenantId, tokenId])) ?? null',
    to: '.findOne({ tokenId })) ?? null',
    tests: ['db/outreach/tenants/tool-tokens.test.ts'],
    why: 'a token of one tenant is used at another',
  },
  {
    file: 'db/outreach/campaigns/campaigns.ts',
    from: '${selectCampaign} where c.tenant_id = :tenantId and c.campaign_id = :id and not c.automation`',
    to: '${selectCampaign} where c.campaign_id = :id and not c.automation`',
    tests: ['db/outreach/campaigns/campaigns.test.ts'],
    why: 'one tenant reads the campaigns of another',
  },
  {
    file: 'db/outreach/campaigns/campaigns.ts',
    from: '${selectListed(ordered.at)} where c.tenant_id = :tenantId',
    to: '${selectListed(ordered.at)} where true',
    tests: ['db/outreach/campaigns/campaigns.test.ts'],
    why: 'one tenant lists the campaigns of another',
  },
  {
    file: 'db/outreach/tags/assignments.ts',
    from: 'where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId and p.contact_id = given.id)',
    to: 'where p.service_number_id = :serviceNumberId and p.contact_id = given.id)',
    tests: ['commands/outreach/tags/assignments.test.ts'],
    why: 'a contact of another tenant is tagged',
  },
  {
    file: 'commands/outreach/tags/tags.ts',
    from: '.findOne({ tagId, tenantId }).forUpdate()',
    to: '.findOne({ tagId }).forUpdate()',
    tests: ['commands/outreach/tags/assignments.test.ts'],
    why: 'one tenant changes the tags of another',
  },
  {
    file: 'db/orders/events/unmatched.ts',
    from: `select e.*, t.tenant_id from \${ofShops} where e.event_id = :eventId`,
    to: `select e.*, t.tenant_id from gateway_event e join tenant t on t.shop_id = e.shop_id where e.event_id = :eventId and :staffTenantId <> ''`,
    tests: ['db/orders/events/events.test.ts'],
    why: 'staff of one tenant decide about the money of another',
  },
];
