import { expect } from 'chai';
import { useToasts } from './use-toasts.ts';

const { toasts, addToast, dismissToast } = useToasts();

describe('toasts', () => {
  it('stay until dismissed; the oldest passing one makes room for the sixth', () => {
    const stays = addToast({ kind: 'error', title: 'stays' });
    for (const title of ['a', 'b', 'c', 'd', 'e']) addToast({ kind: 'success', title, lastsMs: 10_000 });
    expect(toasts.map(({ title }) => title)).to.deep.equal(['stays', 'b', 'c', 'd', 'e']);
    dismissToast(stays);
    expect(toasts.map(({ title }) => title)).to.deep.equal(['b', 'c', 'd', 'e']);
    while (toasts[0]) dismissToast(toasts[0].id);
    expect(toasts).to.deep.equal([]);
  });
});
