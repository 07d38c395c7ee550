import type { GrantPoints } from '#domain/orders/administration.ts';
import type { AuditAction } from '#domain/orders/administration/audit.ts';
import type { AdjustPoints } from '#domain/orders/administration/points.ts';
import { type Database, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '../audit.ts';
import type { Account } from '../ledger.ts';
import { LedgerEntry, PointAccount } from '../models/points.ts';
import { transact } from '../transaction.ts';

/** Points that staff give; below 0 they take available ones back. */
interface Gift {
  account: Account;
  /** Once per key, tenant and kind of movement. */
  key: string;
  amount: number;
  reason: string | null;
  author: Author;
  movement: 'grant' | 'adjust';
}

export type GiftRejection = 'key_used' | 'not_enough';

const actions: Record<Gift['movement'], AuditAction> = { grant: 'points.grant', adjust: 'points.adjust' };

const idOf = ({ tenantId, userId, kind }: Account): string[] => [tenantId, userId, kind];

const lockAccount = (transaction: Transaction, account: Account) =>
  PointAccount.query(transaction).findById(idOf(account)).forUpdate();

/** The account, locked; created if it was never used. */
async function openAccount(transaction: Transaction, account: Account): Promise<PointAccount> {
  await PointAccount.query(transaction).insert(account).onConflict(['tenantId', 'userId', 'kind']).ignore();
  return PointAccount.query(transaction).findById(idOf(account)).forUpdate().throwIfNotFound();
}

/** Writes both rows of the movement. @returns false if the key was used. */
async function enter(transaction: Transaction, movement: string, gift: Gift): Promise<boolean> {
  const { account, amount, author, reason } = gift;
  const written = await rows(
    transaction,
    `insert into ledger_entry (movement, bucket, amount, tenant_id, user_id, kind, actor, reason)
     select :movement, bucket, sign * cast(:amount as bigint), :tenantId, :userId, :kind, :actor, :reason
     from (values ('granted', -1), ('available', 1)) as sides (bucket, sign)
     on conflict (movement, bucket) do nothing returning entry_id`,
    { ...account, movement, amount, actor: author.userId, reason },
  );
  return written.length > 0;
}

const isSame = (entry: LedgerEntry, { account, amount, reason }: Gift): boolean =>
  entry.userId === account.userId && entry.kind === account.kind && entry.amount === amount && entry.reason === reason;

const balances = ({ available, reserved, committed }: PointAccount) => ({ available, reserved, committed });

/** `granted` grows with `available`, so that granted = available + reserved + committed stays true. */
async function give(database: Database, gift: Gift): Promise<GiftRejection | null> {
  const { account, amount, author, reason } = gift;
  const movement = `${gift.movement}:${JSON.stringify([account.tenantId, gift.key])}`;
  return transact(database, async (transaction) => {
    const locked = await lockAccount(transaction, account);
    const used = await LedgerEntry.query(transaction).findOne({ movement, bucket: 'available' });
    if (used) return isSame(used, gift) ? null : 'key_used';
    if ((locked?.available ?? 0) + amount < 0) return 'not_enough';
    const before = locked ?? (await openAccount(transaction, account));
    if (!(await enter(transaction, movement, gift))) {
      const meanwhile = await LedgerEntry.query(transaction).findOne({ movement, bucket: 'available' });
      return meanwhile && isSame(meanwhile, gift) ? null : 'key_used';
    }
    const after = await PointAccount.query(transaction).patchAndFetchById(idOf(account), {
      granted: before.granted + amount,
      available: before.available + amount,
    });
    await recordAudit(transaction, {
      tenantId: account.tenantId,
      author,
      action: actions[gift.movement],
      subject: { type: 'account', id: `${account.userId}/${account.kind}` },
      before: balances(before),
      after: { ...balances(after), amount, ...(reason === null ? {} : { reason }) },
    });
    return null;
  });
}

/** Grants points, once per key. @returns why not */
export const grantPoints = (
  database: Database,
  { tenantId, userId, kind, amount, key }: GrantPoints,
  author: Author,
): Promise<GiftRejection | null> =>
  give(database, { account: { tenantId, userId, kind }, key, amount, reason: null, author, movement: 'grant' });

/** Gives points, or takes available ones back, once per key. @returns why not */
export const adjustPoints = (
  database: Database,
  { tenantId, userId, kind, delta, reason, key }: AdjustPoints,
  author: Author,
): Promise<GiftRejection | null> =>
  give(database, { account: { tenantId, userId, kind }, key, amount: delta, reason, author, movement: 'adjust' });
