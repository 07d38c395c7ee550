import type { Knex } from 'knex';
import { noteAuditEntry } from '../audit-chain.ts';

/**
 * During which request an audit entry was written: our own id of it and, apart from it, its caller's. No row is read or
 * rewritten; entries from before have neither, and keep their digests.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table audit_entry add column request_id text, add column caller_request_id text');
  await knex.raw(
    noteAuditEntry({
      schema: 'orders',
      table: 'audit_entry',
      id: 'entry_id',
      columns: ['entry_id', 'tenant_id', 'at', 'actor', 'action', 'subject_type', 'subject_id', 'before', 'after'],
      later: ['request_id', 'caller_request_id'],
    }),
  );
}
