import type { BffDatabase } from '#db/bff/database.ts';
import type { BackendClient } from '#clients/backend/client.ts';
import type { RegisterSlots } from '#clients/platform/embed-configuration.ts';
import { createInstallationActivities } from './installation.ts';
import { createRotationActivities } from './rotation.ts';
import { createSlotActivities } from './slots.ts';

export interface BffActivityDependencies {
  database: BffDatabase;
  backend: BackendClient;
  register: RegisterSlots;
  /** PUBLIC_BFF_URL. */
  publicUrl: string;
}

/** All activities of task queue `bff`. Their inputs are ids only: secrets stay out of Temporal. */
export function createBffActivities(deps: BffActivityDependencies) {
  return { ...createInstallationActivities(deps), ...createRotationActivities(deps), ...createSlotActivities(deps) };
}

export type BffActivities = ReturnType<typeof createBffActivities>;
