import { expect } from 'chai';
import { CONTACTS_PER_PAGE } from '#db/outreach/sends/freezing.ts';
import type { FieldError } from '#domain/api/problem.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { contactId } from '#test/support/services/backend.ts';
import { freezeNextPage } from './freeze-page.ts';

const CONTACTS = CONTACTS_PER_PAGE + 1;

describe('the snapshot of a large list', () => {
  const backend = useTwoTenants({ contacts: CONTACTS });

  it('is of one list: nobody replaces or deletes it between its pages', async () => {
    const list = { serviceNumberId: 'sn-1', name: 'All', type: 'contacts' };
    const { audienceId } = (await backend.call('POST', '/audiences', { body: list })).body;
    const path = `/audiences/${audienceId}`;
    const replace = (raw: string) => backend.call('PUT', `${path}/contacts`, { raw, contentType: 'text/csv' });
    const everybody = Array.from({ length: CONTACTS }, (_, n) => contactId(n + 1));
    expect((await replace(everybody.join('\n'))).status).to.equal(200);
    const id = await backend.draft({ audience: { type: 'contacts', audienceId } });
    expect((await backend.act(id, 'send')).status).to.equal(202);
    const { dispatchId } = await backend.db('dispatch').where({ campaignId: id }).first();
    const nextPage = () => freezeNextPage(backend.db, { tenantId: 'a', dispatchId }, new Date());
    expect(await nextPage()).to.equal(false);

    const refusals = [
      await replace(contactId(1)),
      await backend.call('PATCH', path, { body: { contactIds: [contactId(1)] } }),
      await backend.call('DELETE', path),
    ];
    for (const { status, body } of refusals) {
      const paths = body.errors.map((error: FieldError) => error.path);
      expect({ status, code: body.code, paths }).to.deep.equal({
        status: 409,
        code: 'in_use',
        paths: [`campaign/${id}`],
      });
    }
    expect((await backend.call('PATCH', path, { body: { name: 'Everybody' } })).body).to.include({
      name: 'Everybody',
      memberCount: CONTACTS,
    });

    expect(await nextPage()).to.equal(true);
    const recipients = await backend.db('dispatch_recipient').where({ dispatchId }).orderBy('contactId');
    expect(recipients.map((row) => row.contactId)).to.deep.equal(everybody);
    expect((await replace(contactId(1))).body.memberCount).to.equal(1);
    expect((await backend.call('DELETE', path)).status).to.equal(204);
  });
});
