import { expect } from 'chai';
import { listed } from './listed.ts';

const rows = ['a', 'b'];
const shownFor = (now: readonly unknown[], before: readonly unknown[]) =>
  listed(() => now).placeholderData(rows, { queryKey: before });

describe('the rows that are shown until others are there', () => {
  it('are those of another page, order or filter of the same list', () => {
    const before = ['tags', 'list', { serviceNumberId: 'sn-1', cursor: 'x' }];
    expect(shownFor(['tags', 'list', { serviceNumberId: 'sn-1', cursor: 'y', q: 'tea' }], before)).to.equal(rows);
    expect(shownFor(['tags', 'list', { serviceNumberId: 'sn-1' }], before)).to.equal(rows);
  });

  it('are never those of another object, tenant or service number', () => {
    const before = ['campaigns', 'one', 'a', 'tasks', { cursor: 'x' }];
    expect(shownFor(['campaigns', 'one', 'b', 'tasks', { cursor: 'x' }], before)).to.equal(undefined);
    const list = ['goods', 'list', { tenantId: 't-1' }];
    expect(shownFor(['goods', 'list', { tenantId: 't-2' }], list)).to.equal(undefined);
    expect(shownFor(['tags', { serviceNumberId: 'sn-2' }], ['tags', { serviceNumberId: 'sn-1' }])).to.equal(undefined);
    expect(shownFor(['tags', { serviceNumberId: 'sn-2' }], ['tags', { serviceNumberId: undefined }])).to.equal(
      undefined,
    );
  });
});
