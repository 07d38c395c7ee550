import { rows, type Transaction } from '#db/database.ts';
import { TenantRow } from '#db/outreach/models/tenants.ts';
import { type FieldError, invalidField, Problem } from '#domain/api/problem.ts';
import type { TestContact } from '#domain/api/tenant-settings.ts';

const keyOf = ({ serviceNumberId, contactId }: TestContact): string => JSON.stringify([serviceNumberId, contactId]);

/**
 * Each once.
 * @throws Problem `invalid_content` for a service number that the tenant does not have, and a contact that it does not know.
 */
export async function knownTestContacts(
  transaction: Transaction,
  tenantId: string,
  given: readonly TestContact[],
): Promise<TestContact[]> {
  const found = await rows<{ isNumber: boolean; isContact: boolean }>(
    transaction,
    `select exists (select from service_number_catalog s
         where s.tenant_id = :tenantId and s.service_number_id = g.service_number_id) as is_number,
       exists (select from contact_profile p where p.tenant_id = :tenantId
         and p.service_number_id = g.service_number_id and p.contact_id = g.contact_id) as is_contact
     from unnest(:numbers::text[], :contacts::text[]) with ordinality as g(service_number_id, contact_id, place)
     order by place`,
    {
      tenantId,
      numbers: given.map(({ serviceNumberId }) => serviceNumberId),
      contacts: given.map(({ contactId }) => contactId),
    },
  );
  const errors = found.flatMap(({ isNumber, isContact }, index): FieldError[] => {
    if (!isNumber) return [invalidField(`/testContacts/${index}/serviceNumberId`, 'unknown_service_number')];
    const contactId = given[index]?.contactId ?? '';
    return isContact ? [] : [invalidField(`/testContacts/${index}/contactId`, 'foreign_contact', { contactId })];
  });
  if (errors.length > 0) throw new Problem('invalid_content', 'Some test contacts are unknown', { errors });
  return [...new Map(given.map((one) => [keyOf(one), one])).values()];
}

/**
 * While sends need approval, nobody but test contacts gets a test.
 * @throws Problem `test_contacts_only` naming each other contact.
 */
export async function assertTestContacts(
  transaction: Transaction,
  { tenantId, serviceNumberId }: { tenantId: string; serviceNumberId: string },
  contactIds: readonly string[],
): Promise<void> {
  const tenant = await TenantRow.query(transaction).findById(tenantId);
  if (!tenant || tenant.sendsNeedApproval === null) return;
  const allowed = new Set(tenant.testContacts.map(keyOf));
  const errors = contactIds.flatMap((contactId, index) =>
    allowed.has(keyOf({ serviceNumberId, contactId }))
      ? []
      : [invalidField(`/contactIds/${index}`, 'not_test_contact', { contactId })],
  );
  if (errors.length > 0) throw new Problem('test_contacts_only', 'Test sends reach only test contacts', { errors });
}
