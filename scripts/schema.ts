import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { withLock } from '../db/provision.ts';
import { describeDatabase, schemaFile } from '../db/schema.ts';
import { createDatabase } from '../test/support/servers/database.ts';

/** `npm run schema`: migrates an empty database on its own server, and writes down the resulting schema. */
const database = await createDatabase();
try {
  writeFileSync(schemaFile, await withLock(database.DATABASE_URL, describeDatabase));
  console.log(`Written: ${relative(process.cwd(), schemaFile)}`);
} finally {
  await database.drop();
}
