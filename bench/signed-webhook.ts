import { authorize, createNonce, NONCE_HEADER } from '../domain/signature.ts';

/** What the platform signs webhooks of an installed tenant with. */
export interface Integration {
  tenantIntegrationId: string;
  tenantIntegrationSecret: string;
}

/** A request as the platform sends it, with a nonce of its own. */
export function signedWebhook(event: object, { tenantIntegrationId, tenantIntegrationSecret }: Integration) {
  const body = JSON.stringify(event);
  const nonce = createNonce();
  const authorization = authorize(tenantIntegrationSecret, { tenantIntegrationId, nonce, body });
  return { body, headers: { 'content-type': 'application/json', authorization, [NONCE_HEADER]: nonce } };
}
