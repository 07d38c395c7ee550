/** Every secret that production requires, none of them a development secret. */
export const productionSecrets = {
  PLATFORM_APP_SECRET: 'a-secret-of-our-own-1',
  IDENTITY_CLIENT_SECRET: 'a-secret-of-our-own-2',
  PAYMENT_GATEWAY_KEY: 'a-secret-of-our-own-3',
  PAYMENT_GATEWAY_WEBHOOK_SECRET: 'a-secret-of-our-own-4',
  INTERNAL_API_SECRET: 'a-secret-of-our-own-5',
  ENCRYPTION_KEY: Buffer.from('thirty-two bytes nobody else has').toString('base64'),
};

/** Every address that production requires, none of them the sandbox's. */
export const productionAddresses = {
  PLATFORM_BASE_URL: 'https://platform.example',
  IDENTITY_ISSUER: 'https://identity.example/realm',
  PAYMENT_GATEWAY_BASE_URL: 'https://gateway.example',
  PUBLIC_BFF_URL: 'https://console.example',
  PUBLIC_ORDERS_URL: 'https://orders.example',
  BACKEND_URL: 'https://backend.internal',
  ORDERS_URL: 'https://orders.internal',
};

/** What production accepts, apart from databases. */
export const productionSettings = {
  NODE_ENV: 'production',
  SANDBOX: 'off',
  ...productionAddresses,
  ...productionSecrets,
};
