import { expect } from 'chai';
import { continueView, viewKeyOf } from './view-key.ts';

describe('the view of an object', () => {
  it('is that object’s own', () => {
    expect(viewKeyOf({ orderId: 'a' })).to.equal(viewKeyOf({ orderId: 'a' }));
    expect(viewKeyOf({ orderId: 'a' })).to.not.equal(viewKeyOf({ orderId: 'b' }));
  });

  it('goes on where it has made what it shows, and what is made next has another', () => {
    const first = viewKeyOf({});
    continueView({}, { id: 'a' });
    expect(viewKeyOf({ id: 'a' })).to.equal(first);
    const second = viewKeyOf({});
    expect(second).to.not.equal(first);
    continueView({}, { id: 'b' });
    expect([viewKeyOf({ id: 'a' }), viewKeyOf({ id: 'b' })]).to.deep.equal([first, second]);
  });
});
