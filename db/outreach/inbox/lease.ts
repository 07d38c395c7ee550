import { type Database, firstRow, rows } from '#db/database.ts';

/** Who drains a partition. */
export interface Lease {
  partition: number;
  holder: string;
}

/** A lease that is not renewed expires after this time: its drain is dead, and another process takes over. */
const LEASE_SECONDS = 2;

const expiry = `clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'`;

/** Takes over the partition from its holder, which is dead or will notice. */
export async function takeLease(database: Database, lease: Lease): Promise<void> {
  await rows(
    database,
    `insert into inbox_lease (partition, holder, state, expires_at) values (:partition, :holder, 'draining', ${expiry})
     on conflict (partition) do update
       set holder = excluded.holder, state = excluded.state, expires_at = excluded.expires_at`,
    { ...lease },
  );
}

/** Takes over the partitions whose drains are dead. Of several processes, one gets each. */
export async function takeAbandoned(database: Database, holder: string): Promise<number[]> {
  const taken = await rows<{ partition: number }>(
    database,
    `update inbox_lease set holder = :holder, state = 'draining', expires_at = ${expiry}
     where state <> 'free' and expires_at < clock_timestamp() returning partition`,
    { holder },
  );
  return taken.map(({ partition }) => partition);
}

/** Changes the lease. @returns false if someone else took it: this drain must stop. */
export async function markLease(
  database: Database,
  lease: Lease,
  state: 'draining' | 'closing' | 'free',
): Promise<boolean> {
  const row = await firstRow(
    database,
    `update inbox_lease set state = :state, expires_at = ${expiry}
     where partition = :partition and holder = :holder returning 1 as held`,
    { ...lease, state },
  );
  return row !== null;
}

/** Renews the lease as it is. @returns false if someone else took it. */
async function renewLease(database: Database, lease: Lease): Promise<boolean> {
  const row = await firstRow(
    database,
    `update inbox_lease set expires_at = ${expiry} where partition = :partition and holder = :holder returning 1 as held`,
    { ...lease },
  );
  return row !== null;
}

const RENEW_EVERY_MS = 500;

/** A lease that is renewed beside the work that it is for, however long a part of that takes. */
export interface KeptLease {
  /** False once someone else took it. */
  isHeld(): boolean;
  stop(): void;
}

export function keepLease(database: Database, lease: Lease): KeptLease {
  let isHeld = true;
  const timer = setInterval(() => {
    renewLease(database, lease).then(
      (renewed) => (isHeld &&= renewed),
      // The next renewal tries again; the lease has not expired yet.
      () => undefined,
    );
  }, RENEW_EVERY_MS);
  return { isHeld: () => isHeld, stop: () => clearInterval(timer) };
}
