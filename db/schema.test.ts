import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createDatabase, type TestDatabase } from '../test/support/servers/database.ts';
import { withLock } from './provision.ts';
import { describeDatabase, schemaFile } from './schema.ts';

describe('migrations/schema.sql', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  it('is what the migrations make', async () => {
    const made = await withLock(database.DATABASE_URL, describeDatabase);
    expect(made, 'The schema has changed: `npm run schema` writes it down').to.equal(readFileSync(schemaFile, 'utf8'));
  });
});
