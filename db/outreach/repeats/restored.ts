import { repeatColumns } from './repeats.ts';

export const selectDue = `
  select ${repeatColumns} from campaign_repeat r where r.status = 'active' and r.next_at <= :now
  order by r.tenant_id, r.repeat_id for update of r`;

export const pause = `
  update campaign_repeat set status = 'paused', pause_reason = 'restored', next_at = null, next_local_time = null,
    updated_at = :now, schedule_stale = true
  where repeat_id = :repeatId`;
