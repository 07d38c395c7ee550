import { expect } from 'chai';
import { frontendOperations } from '../api/index.ts';
import type { AnyOperation } from '../api/operation.ts';
import { orderOperations } from '../orders/operations.ts';
import type { AnyOrderOperation } from '../orders/operations/describe.ts';
import { frontendScopes, orderScopes, scopesFor } from './scopes.ts';

const operations = Object.entries(frontendOperations as Record<string, AnyOperation>);

describe('scopes of API keys', () => {
  it('reach nothing that manages keys, sessions, people, settings or secrets, or decides for a person', () => {
    const people = operations.filter(
      ([name, { tag, access }]) =>
        ['API keys', 'session', 'integration'].includes(tag) ||
        !['read', 'write'].includes(access) ||
        ['approveSend', 'rejectSend'].includes(name),
    );
    expect(people.length).to.be.above(12);
    expect(people.filter(([, operation]) => scopesFor(operation).length > 0).map(([name]) => name)).to.deep.equal([]);
  });

  it('follow what an operation changes: nobody tags contacts or makes lists with a scope of campaigns', () => {
    const { saveClickers, tagClickers, saveCampaignContacts, tagCampaignContacts } = frontendOperations;
    for (const operation of [tagClickers, tagCampaignContacts])
      expect(scopesFor(operation)).to.deep.equal(['tags:write']);
    for (const operation of [saveClickers, saveCampaignContacts])
      expect(scopesFor(operation)).to.deep.equal(['audiences:write']);
  });

  it('each allow something, and reading is never enough to write', () => {
    const reached = new Set(operations.flatMap(([, operation]) => scopesFor(operation)));
    expect([...reached].toSorted()).to.deep.equal([...frontendScopes].toSorted());
    const atOrders = Object.values(orderOperations as Record<string, AnyOrderOperation>);
    const reachedThere = new Set(atOrders.flatMap(({ scopes = [] }) => scopes));
    expect([...reachedThere].toSorted()).to.deep.equal([...orderScopes].toSorted());
    for (const [name, operation] of operations)
      if (operation.access === 'write' && operation.method !== 'get')
        expect(
          scopesFor(operation).filter((scope) => scope.endsWith(':read')),
          name,
        ).to.deep.equal([]);
  });
});
