import type { Settings } from '../domain/settings.ts';
import type { Say } from './start/progress.ts';

/**
 * Seeds the demonstration data where it is missing, through the services' own interfaces; `npm start` calls it once
 * they are up. Repeated starts change nothing.
 */
export async function seedDemo(_settings: Settings, _say: Say): Promise<void> {
  // Nothing to seed yet.
}
