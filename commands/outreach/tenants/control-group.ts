import { randomInt } from 'node:crypto';
import type { TenantRow } from '#db/outreach/models/tenants.ts';
import type { TenantSettingsPatch } from '#domain/api/tenant-settings.ts';

type Columns = Pick<TenantRow, 'controlPercent' | 'controlSince' | 'controlKey'>;

/** Those of a higher share have been in it only since now; a lower one has nobody new. */
export function controlColumns(
  before: Columns,
  wanted: NonNullable<TenantSettingsPatch['controlGroup']> | null,
  now: Date,
): Columns {
  const percent = wanted?.percent ?? 0;
  const isMore = percent > (before.controlPercent ?? 0);
  return {
    controlPercent: wanted && percent,
    controlSince: percent === 0 ? null : isMore ? now : before.controlSince,
    // It stays for good, so that a group that is made again has the same contacts.
    controlKey: before.controlKey ?? (isMore ? randomInt(2 ** 48 - 1) : null),
  };
}
