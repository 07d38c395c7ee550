import type { Database } from '#db/database.ts';
import { refuseElsewhere } from '#db/place.ts';
import type { Health } from '../http/health.ts';
import type { Parts } from './parts.ts';

/**
 * What `/readyz` says of a database that was started elsewhere: a worker is not ready, since it would send nothing. An API beside
 * it in the same process goes on serving.
 */
export function adoptionOf({ api, worker }: Parts, database: Database): Required<Pick<Health, 'checks' | 'notices'>> {
  const adoption: Health['checks'] = worker ? { adoption: () => refuseElsewhere(database) } : {};
  return api ? { checks: {}, notices: adoption } : { checks: adoption, notices: {} };
}
