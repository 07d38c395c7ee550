import type { Journal, Slice } from '#sandbox/journal.ts';
import { SandboxError } from '#sandbox/http/route.ts';

export interface ServiceNumber {
  serviceNumberId: string;
  name: string;
}

export interface Tenant {
  platformTenantId: string;
  name: string;
  type: string;
  serviceNumbers: ServiceNumber[];
}

/** The tenants of the platform and their service numbers. A service number belongs to only one tenant. */
export function createTenants(journal: Journal) {
  const tenants = new Map<string, Tenant>();
  const ownerOf = new Map<string, string>();

  const slice: Slice<Tenant> = {
    apply(tenant) {
      tenants.set(tenant.platformTenantId, tenant);
      for (const { serviceNumberId } of tenant.serviceNumbers) ownerOf.set(serviceNumberId, tenant.platformTenantId);
    },
    dump: () => tenants.values(),
  };

  function get(platformTenantId: string): Tenant {
    const tenant = tenants.get(platformTenantId);
    if (!tenant) throw new SandboxError(404, 'not_found', `there is no tenant ${platformTenantId}`);
    return tenant;
  }

  return {
    record: journal.register('tenants', slice),
    list: () => [...tenants.values()],
    find: (platformTenantId: string) => tenants.get(platformTenantId),
    get,
    /** The tenant that currently has a service number; undefined if none has it (any longer). */
    ownerOf(serviceNumberId: string): Tenant | undefined {
      const tenant = tenants.get(ownerOf.get(serviceNumberId) ?? '');
      return tenant?.serviceNumbers.some((number) => number.serviceNumberId === serviceNumberId) ? tenant : undefined;
    },
    /**
     * Asserts that every service number is free or already belongs to the tenant.
     * @throws Refusal 409
     */
    assertFree(tenant: Tenant): void {
      const taken = tenant.serviceNumbers.find(({ serviceNumberId }) => {
        const owner = ownerOf.get(serviceNumberId);
        return owner !== undefined && owner !== tenant.platformTenantId;
      });
      if (taken) throw new SandboxError(409, 'conflict', `${taken.serviceNumberId} is another tenant's service number`);
    },
  };
}

export type Tenants = ReturnType<typeof createTenants>;
