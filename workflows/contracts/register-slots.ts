export type { LifecycleInput as RegisterSlotsInput } from './lifecycle.ts';

export type RegisterSlotsResult = 'registered' | 'not_active';
