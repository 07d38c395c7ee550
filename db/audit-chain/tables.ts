/** An audit table whose entries are sealed, as a verifier reads it. */
export interface SealedTable {
  schema: 'outreach' | 'orders';
  table: string;
  id: string;
  /** SQL: entry `a` is that of seal `s`. */
  isOf: string;
  /** SQL: the text of entry `a` that its digest is made of. */
  content: string;
}

/** SQL: a moment as digests have it. */
export const sealedTime = (value: string) => `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;

const arrayOf = (columns: readonly string[]) =>
  `jsonb_build_array(${columns.map((name) => (name === 'at' ? sealedTime('a.at') : `a.${name}`)).join(', ')})`;

const contentOf = (columns: readonly string[]) => `${arrayOf(columns)}::text`;

/** SQL: whether entry `a` has a request; those written before requests were noted have none, and a digest without it. */
const hasRequest = 'num_nonnulls(a.request_id, a.caller_request_id) > 0';

/** Written out beside the migrations that seal: who verifies must not ask the database how. */
export const sealedTables: readonly SealedTable[] = [
  {
    schema: 'outreach',
    table: 'audit_log',
    id: 'audit_id',
    isOf: 'a.audit_id = s.entry_id',
    content: contentOf([
      'audit_id',
      'tenant_id',
      'at',
      'actor',
      'action',
      'object_type',
      'object_id',
      'before',
      'after',
      'request_id',
      'caller_request_id',
      'salt',
    ]),
  },
  {
    schema: 'orders',
    table: 'audit_entry',
    id: 'entry_id',
    isOf: 'a.entry_id = s.entry_id::uuid',
    content: `(${arrayOf([
      'entry_id',
      'tenant_id',
      'at',
      'actor',
      'action',
      'subject_type',
      'subject_id',
      'before',
      'after',
    ])} || case when ${hasRequest} then ${arrayOf(['request_id', 'caller_request_id'])} else '[]' end)::text`,
  },
];
