/** Every secret that production requires, none of them a development secret. */
export const productionSecrets = {
  PLATFORM_APP_SECRET: 'a-secret-of-our-own-1',
  IDENTITY_CLIENT_SECRET: 'a-secret-of-our-own-2',
  PAYMENT_GATEWAY_KEY: 'a-secret-of-our-own-3',
  PAYMENT_GATEWAY_WEBHOOK_SECRET: 'a-secret-of-our-own-4',
  INTERNAL_API_SECRET: 'a-secret-of-our-own-5',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
};
