import { connect } from '#db/connection.ts';
import { createEncryption } from '#db/encryption.ts';
import { reencrypt } from '#db/reencrypt.ts';
import { parseSettings, roleAddresses } from '#domain/settings/settings.ts';

const applicationName = 'reencrypt';

/** `npm run reencrypt`: after the first of ENCRYPTION_KEYS has changed, and before the one before it is removed. */
async function main(): Promise<void> {
  const settings = parseSettings(process.env, [...roleAddresses, 'ENCRYPTION_KEYS']);
  const databases = {
    bff: connect({ url: settings.DATABASE_URL_BFF, schema: 'bff', applicationName }),
    outreach: connect({ url: settings.DATABASE_URL_BACKEND, schema: 'outreach', applicationName }),
    orders: connect({ url: settings.DATABASE_URL_ORDERS, schema: 'orders', applicationName }),
  };
  try {
    const results = await reencrypt(databases, createEncryption(settings.ENCRYPTION_KEYS), (found) => {
      const { schema, table, column, done, unreadable, left } = found;
      console.log(`${schema}.${table}.${column}: ${done} re-encrypted, ${left} left (${unreadable} no key opens)`);
    });
    const left = results.reduce((sum, result) => sum + result.left, 0);
    console.log(left === 0 ? 'Every value is encrypted with the first key.' : `Values of other keys left: ${left}`);
    if (left > 0) process.exitCode = 1;
  } finally {
    await Promise.all(Object.values(databases).map((database) => database.destroy()));
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
