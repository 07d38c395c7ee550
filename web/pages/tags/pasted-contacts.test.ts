import { expect } from 'chai';
import { mostPasted, pastedContacts } from './pasted-contacts.ts';

describe('pasted contact ids', () => {
  it('are taken from lines, commas and blanks, each once', () => {
    expect(pastedContacts('c1, c2;c3\n\n c1\tc1 ')).to.deep.equal({
      contactIds: ['c1', 'c2', 'c3'],
      repeated: 2,
      rejected: null,
      invalidId: null,
    });
  });

  it('are rejected if the API would reject them', () => {
    const long = 'x'.repeat(513);
    expect(pastedContacts(' \n')).to.include({ rejected: 'none' });
    expect(pastedContacts(`c1 ${long}`)).to.include({ rejected: 'invalid', invalidId: long });
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`).join(' ');
    expect(pastedContacts(ids(mostPasted))).to.include({ rejected: null });
    expect(pastedContacts(ids(mostPasted + 1))).to.include({ rejected: 'tooMany' });
  });
});
