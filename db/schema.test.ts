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

  it('matches the result of the migrations', async () => {
    const made = await withLock(database.DATABASE_URL, describeDatabase);
    expect(made, 'The schema has changed: run `npm run schema` to update it').to.equal(
      readFileSync(schemaFile, 'utf8'),
    );
  });
});
