export type { LifecycleInput as UninstallTenantInput } from './lifecycle.ts';
