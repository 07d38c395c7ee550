import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { sealAllAudit } from '#db/audit-chain/seal.ts';
import { sealedTables, type SealedTable } from '#db/audit-chain/tables.ts';
import { type VerifyOptions, verifyAudit } from '#db/audit-chain/verify.ts';
import { type Database, rows } from '#db/database.ts';
import { recordAudit as recordOrders } from '#db/orders/audit.ts';
import { recordAudit } from '#db/outreach/audit/record.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { useDatabase, useTestDatabase } from '../support/fixtures/database.ts';

const NOBODY: VerifyOptions = { auditDays: 1095, noted: [] };

const tableOf = (schema: SealedTable['schema']): SealedTable => {
  const found = sealedTables.find((one) => one.schema === schema);
  if (!found) throw new Error(schema);
  return found;
};

const write: Record<SealedTable['schema'], (database: Database, tenantId: string, id: string) => Promise<void>> = {
  outreach: (database, tenantId, id) =>
    recordAudit(
      database,
      { tenantId, userId: 'u-1', requestId: 'r' },
      {
        action: 'tag.create',
        objectType: 'tag',
        objectId: id,
        after: { name: `名 "${id}"`, share: 0.5, list: [1, null] },
      },
    ),
  orders: (database, tenantId, id) =>
    database.transaction((transaction) =>
      recordOrders(transaction, {
        tenantId,
        author: { userId: 's-1', requestId: 'r', callerRequestId: 'c' },
        action: 'goods.put',
        subject: { type: 'goods', id },
        before: null,
        after: { name: id },
      }),
    ),
};

interface Entry {
  id: string;
  at: string;
}

for (const schema of ['outreach', 'orders'] as const) {
  describe(`the chain of audit entries of ${schema}`, () => {
    const on = useTestDatabase();
    const service = useDatabase(schema, { on });
    const owner = useDatabase(schema, { on, as: 'owner' });
    const audited = tableOf(schema);
    const { table, id } = audited;
    let tenants = 0;

    /** A tenant of its own with five sealed entries, which are returned in their order. */
    async function sealed(): Promise<{ tenantId: string; entries: Entry[] }> {
      tenants += 1;
      const tenantId = `t-${tenants}`;
      for (let number = 1; number <= 5; number += 1) await write[schema](service, tenantId, `${tenantId}-${number}`);
      await sealAllAudit(service);
      const entries = await rows<Entry>(
        owner,
        `select ${id} as id, at::text as at from ${table} where tenant_id = :tenantId order by ${table}.at, ${id}`,
        { tenantId },
      );
      return { tenantId, entries };
    }

    async function verified(tenantId: string, options = NOBODY) {
      const found = (await verifyAudit(service, audited, options)).find((one) => one.tenantId === tenantId);
      if (!found) throw new Error(`no chain of ${tenantId}`);
      return found;
    }

    const fault = async (tenantId: string, options = NOBODY) => {
      const { finding } = await verified(tenantId, options);
      return finding && { fault: finding.fault, entryId: finding.entryId, position: finding.position };
    };

    const third = (entries: Entry[]): Entry => {
      const [, , found] = entries;
      if (!found) throw new Error('no third entry');
      return found;
    };

    it('fits while nobody goes around the services, and goes on', async () => {
      const { tenantId } = await sealed();
      expect(await verified(tenantId)).to.deep.include({ seals: 5, rewritten: 0, finding: null });
      await write[schema](service, tenantId, 'another');
      expect(await verified(tenantId)).to.deep.include({ seals: 6, finding: null });
    });

    it('does not fork when many write and seal at once', async () => {
      const tenantId = 'busy';
      await Promise.all(
        Array.from({ length: 60 }, async (_, number) => {
          await write[schema](service, tenantId, `n-${number}`);
          await sealAllAudit(service);
        }),
      );
      expect(await verified(tenantId)).to.deep.include({ seals: 60, finding: null });
    });

    it('the role of the service can neither change nor delete what is recorded, nor its seals', async () => {
      const { tenantId } = await sealed();
      const parts = await rows<{ name: string }>(
        owner,
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = to_regclass(:table)`,
        { table },
      );
      const refused = (statement: string) =>
        rows(service, statement, {}).then(
          () => `${statement}: done`,
          (error: { code?: string }) => error.code,
        );
      for (const name of [table, ...parts.map((part) => part.name)]) {
        expect(await refused(`update ${name} set actor = 'x'`), name).to.equal('42501');
        for (const verb of ['delete from', 'truncate'])
          expect(await refused(`${verb} ${name}`), name).to.equal('42501');
      }
      for (const name of parts)
        expect(await refused(`insert into ${name.name} select * from ${table}`), name.name).to.equal('42501');
      for (const name of ['audit_seal', 'audit_chain', 'audit_unsealed']) {
        expect(await refused(`update ${name} set tenant_id = 'x'`), name).to.equal('42501');
        expect(await refused(`delete from ${name}`), name).to.equal('42501');
        expect(await refused(`insert into ${name} default values`), name).to.equal('42501');
      }
      expect(await fault(tenantId)).to.equal(null);
    });

    it('names an entry that was given another request, or none', async () => {
      const none = { request_id: null, caller_request_id: null };
      for (const change of [{ request_id: 'x' }, { caller_request_id: 'x' }, none]) {
        const { tenantId, entries } = await sealed();
        const entryId = third(entries).id;
        await owner(table)
          .where({ [id]: entryId })
          .update(change);
        expect(await fault(tenantId), JSON.stringify(change)).to.deep.equal({ fault: 'changed', entryId, position: 3 });
      }
    });

    it('names an entry that was changed, in its content or its time', async () => {
      const one = await sealed();
      const entryId = third(one.entries).id;
      await owner(table)
        .where({ [id]: entryId })
        .update({ actor: 'somebody else' });
      expect(await fault(one.tenantId)).to.deep.equal({ fault: 'changed', entryId, position: 3 });
      const other = await sealed();
      const moved = third(other.entries).id;
      await rows(owner, `update ${table} set at = at - interval '1 millisecond' where ${id} = :moved`, { moved });
      expect(await fault(other.tenantId)).to.deep.include({ entryId: moved, position: 3 });
    });

    it('names an entry that was removed, alone or with its seal, whatever was renumbered', async () => {
      const one = await sealed();
      const entryId = third(one.entries).id;
      await owner(table)
        .where({ [id]: entryId })
        .delete();
      expect(await fault(one.tenantId)).to.deep.equal({ fault: 'removed', entryId, position: 3 });
      await owner('audit_seal').where({ tenant_id: one.tenantId, position: 3 }).delete();
      const fourth = one.entries[3]?.id;
      expect(await fault(one.tenantId)).to.deep.equal({ fault: 'removed', entryId: fourth, position: 4 });
      for (const position of [4, 5])
        await owner('audit_seal')
          .where({ tenant_id: one.tenantId, position })
          .update({ position: position - 1 });
      expect(await fault(one.tenantId)).to.deep.equal({ fault: 'broken', entryId: fourth, position: 3 });
    });

    it('names an entry that was inserted around the chain, or dated back', async () => {
      const one = await sealed();
      const entryId = '01900000-0000-7000-8000-00000000000a';
      const columns = (
        await rows<{ name: string }>(
          owner,
          `select string_agg(quote_ident(attname), ', ') as name from pg_attribute
         where attrelid = to_regclass(:table) and attnum > 0 and not attisdropped and attname not in (:id, 'at')`,
          { table, id },
        )
      )[0]?.name;
      const copy = (at: string) => `insert into ${table} (${id}, at, ${columns})
        select '${entryId}', ${at}, ${columns} from ${table} where ${id} = '${third(one.entries).id}'`;
      await owner.transaction(async (transaction) => {
        await rows(transaction, 'set local session_replication_role = replica', {});
        await rows(transaction, copy('at'), {});
      });
      expect(await fault(one.tenantId)).to.deep.equal({ fault: 'unsealed', entryId, position: null });
      await owner(table)
        .where({ [id]: entryId })
        .delete();
      await rows(service, copy(`at - interval '1 day'`), {});
      expect(await fault(one.tenantId)).to.deep.equal({ fault: 'backdated', entryId, position: 6 });
    });

    it('names the first of entries that changed places', async () => {
      const { tenantId, entries } = await sealed();
      const swap = (from: number, to: number) =>
        owner('audit_seal').where({ tenant_id: tenantId, position: from }).update({ position: to });
      await swap(2, 99);
      await swap(3, 2);
      await swap(99, 3);
      expect(await fault(tenantId)).to.deep.equal({ fault: 'broken', entryId: third(entries).id, position: 2 });
    });

    it('says that a chain was cut off or written anew, if its end was noted elsewhere', async () => {
      const { tenantId, entries } = await sealed();
      const { end } = await verified(tenantId);
      const last = entries[4]?.id;
      await owner(table)
        .where({ [id]: last })
        .delete();
      await owner('audit_seal').where({ tenant_id: tenantId, position: 5 }).delete();
      expect(await fault(tenantId)).to.deep.include({ fault: 'removed' });
      await rows(
        owner,
        `update audit_chain c set position = 4, hash = s.hash from audit_seal s
         where c.tenant_id = :tenantId and s.tenant_id = :tenantId and s.position = 4`,
        { tenantId },
      );
      expect(await fault(tenantId)).to.equal(null);
      const noted = { ...NOBODY, noted: [end] };
      expect(await fault(tenantId, noted)).to.deep.include({ fault: 'shortened', position: 4 });
      await write[schema](service, tenantId, 'in its place');
      expect(await fault(tenantId, noted)).to.deep.include({ fault: 'shortened', position: 5 });
    });
  });
}

describe('audit entries of orders from before they had requests', () => {
  const on = useTestDatabase();
  const service = useDatabase('orders', { on });
  const owner = useDatabase('orders', { on, as: 'owner' });

  it('fit with the digests that they were given, and are given no request afterwards', async () => {
    const entry = {
      entry_id: '0197f3a0-0000-7000-8000-000000000001',
      tenant_id: 't',
      actor: 's-1',
      action: 'goods.put',
      subject_type: 'goods',
      subject_id: 'g',
    };
    await owner('audit_entry').insert(entry);
    await sealAllAudit(service);
    const found = await rows<{ same: boolean }>(
      owner,
      `select s.digest = sha256(convert_to(jsonb_build_array(a.entry_id, a.tenant_id,
         to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), a.actor, a.action, a.subject_type, a.subject_id,
         a.before, a.after)::text, 'UTF8')) as same
       from audit_entry a join audit_seal s on s.entry_id = a.entry_id::text`,
      {},
    );
    expect(found).to.deep.equal([{ same: true }]);
    const findings = async () =>
      (await verifyAudit(service, tableOf('orders'), NOBODY)).map(({ finding }) => finding?.fault);
    expect(await findings()).to.deep.equal([undefined]);
    await owner('audit_entry').update({ request_id: 'r' });
    expect(await findings()).to.deep.equal(['changed']);
  });
});

describe('npm run audit -- --verify', () => {
  const on = useTestDatabase();
  const service = useDatabase('outreach', { on });
  const owner = useDatabase('outreach', { on, as: 'owner' });
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  after(() => rmSync(folder, { recursive: true }));

  const file = join(folder, 'ends.json');
  const verify = async (...more: string[]): Promise<{ code: number; output: string }> => {
    const args = ['--import', 'tsx', 'scripts/audit.ts', '--verify', `--ends=${file}`, ...more];
    const { DATABASE_URL_BACKEND, DATABASE_URL_ORDERS } = on;
    const env = { ...process.env, DATABASE_URL_BACKEND, DATABASE_URL_ORDERS, NODE_ENV: 'test' };
    return await promisify(execFile)(process.execPath, args, { cwd: projectFolder, env }).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: error.stdout + error.stderr,
      }),
    );
  };

  it('says that all fits and notes the ends, or names the first entry that does not fit and fails', async () => {
    for (const id of ['one', 'two', 'three']) await write.outreach(service, 't-1', id);
    const lost = await verify();
    expect([lost.code, existsSync(file)]).to.deep.equal([1, false]);
    expect(lost.output).to.contain(`${file} is not there`);
    const first = await verify('--begin');
    expect(first.code, first.output).to.equal(0);
    expect(first.output).to.contain('t-1: 3 sealed; fits; ends at 3 ');
    expect(JSON.parse(readFileSync(file, 'utf8')).outreach[0]).to.include({ tenantId: 't-1', position: 3 });
    const [entry] = await owner('audit_log').where({ object_id: 'two' });
    await owner('audit_log').where({ object_id: 'two' }).update({ actor: 'x' });
    const second = await verify();
    expect(second.code).to.equal(1);
    expect(second.output).to.contain(`t-1: 1 sealed; DOES NOT FIT: changed ${entry.auditId} at position 2`);
  });
});
