import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { noteFirstPlace, refuseElsewhere } from '#db/place.ts';
import { useTestDatabase } from '#test/support/fixtures/database.ts';
import { projectFolder } from '../start/services.ts';

const schemas = ['outreach', 'orders'] as const;

describe('who takes over a database that was started elsewhere', function () {
  this.timeout(60_000);
  const database = useTestDatabase();

  beforeEach(async () => {
    for (const schema of schemas) {
      await noteFirstPlace(database.connect(schema));
      await database.connect(schema).table('database_place').update({ database_oid: 1, system_identifier: '7' });
    }
  });

  const both = ['DATABASE_URL_BACKEND', 'DATABASE_URL_ORDERS'] as const;
  /** What the program prints. @throws Error unless it exits with 0. */
  function run(program: string, args: readonly string[], names: readonly (typeof both)[number][] = both): string {
    const given = Object.fromEntries(names.map((name) => [name, database[name]]));
    return execFileSync(process.execPath, ['--import', 'tsx', `scripts/${program}/main.ts`, ...args], {
      cwd: projectFolder,
      env: { PATH: process.env.PATH, NODE_ENV: 'test', ...given },
    }).toString();
  }
  const isElsewhere = async (schema: (typeof schemas)[number]) =>
    await refuseElsewhere(database.connect(schema)).then(
      () => false,
      () => true,
    );
  const takenBy = (schema: (typeof schemas)[number]) =>
    database.connect(schema).table('database_place').pluck('taken_by');
  const line = (schema: string) => `The database of ${schema} is taken over: it was number 1 of the cluster 7.\n`;

  it('npm run adopt: of those whose address is given, once, in the name of whoever is named', async () => {
    expect(run('adopt', ['--by', 'grace'], ['DATABASE_URL_BACKEND'])).to.equal(line('outreach'));
    expect([await isElsewhere('outreach'), await isElsewhere('orders')]).to.deep.equal([false, true]);
    expect(run('adopt', [])).to.equal(line('orders'));
    expect(await isElsewhere('orders')).to.equal(false);
    expect(await takenBy('outreach')).to.deep.equal(['grace']);
    expect((await takenBy('orders'))[0])
      .to.match(/\w/)
      .and.not.equal('first start');
    expect(run('adopt', [])).to.equal('Nothing to adopt: what was started at all was started here.\n');
  });

  it('npm run restored: beside what it does, and again without any effect', async () => {
    const printed = () => JSON.parse(run('restored', ['--json'])) as { takenOver: { schema: string; from: object }[] };
    const from = { systemIdentifier: '7', databaseOid: 1 };
    expect(printed().takenOver).to.deep.equal(schemas.map((schema) => ({ schema, from })));
    expect([await isElsewhere('outreach'), await isElsewhere('orders')]).to.deep.equal([false, false]);
    expect(printed()).to.deep.equal({ since: null, sends: [], repeats: [], steps: [], automations: [], takenOver: [] });
  });
});
