import { tokenContext } from './bff/sessions.ts';
import type { Schema } from './connection.ts';
import { secretContext } from './webhooks/claims.ts';

/** A column of sealed texts. */
export interface SealedColumn {
  schema: Schema;
  table: string;
  column: string;
  /** The column that the context is made of, text or bytea; few rows have the same. */
  key: string;
  /** The context that the text of a row is bound to. */
  contextOf: (key: string | Buffer) => string;
}

const ownKey = String;

/** Every column that `Encryption` seals. A test that looks through every column names one that is missing. */
export const sealedColumns: readonly SealedColumn[] = [
  ...['secret_encrypted', 'replaced_secret_encrypted'].map(
    (column) =>
      ({
        schema: 'bff',
        table: 'tenant_integration',
        column,
        key: 'tenant_integration_id',
        contextOf: ownKey,
      }) as const,
  ),
  {
    schema: 'bff',
    table: 'secret_rotation',
    column: 'new_secret_encrypted',
    key: 'tenant_integration_id',
    contextOf: ownKey,
  },
  ...['platform_token_encrypted', 'refresh_token_encrypted'].map(
    (column) =>
      ({
        schema: 'bff',
        table: 'session',
        column,
        key: 'token_hash',
        contextOf: (key: string | Buffer) => tokenContext(Buffer.from(key)),
      }) as const,
  ),
  ...['secret_encrypted', 'previous_secret_encrypted'].map(
    (column) =>
      ({
        schema: 'outreach',
        table: 'tenant_integration',
        column,
        key: 'tenant_integration_id',
        contextOf: ownKey,
      }) as const,
  ),
  { schema: 'outreach', table: 'erasure_key', column: 'secret_encrypted', key: 'tenant_id', contextOf: ownKey },
  { schema: 'outreach', table: 'idempotent_call', column: 'answer_encrypted', key: 'call_id', contextOf: ownKey },
  { schema: 'outreach', table: 'erased_contact', column: 'contact_encrypted', key: 'erasure_id', contextOf: ownKey },
  ...(
    [
      ['orders', 'sealed_secret'],
      ['outreach', 'sealed_secret'],
      ['outreach', 'previous_sealed_secret'],
    ] as const
  ).map(
    ([schema, column]) =>
      ({
        schema,
        table: 'webhook',
        column,
        key: 'tenant_id',
        contextOf: (key: string | Buffer) => secretContext(String(key)),
      }) as const,
  ),
];
