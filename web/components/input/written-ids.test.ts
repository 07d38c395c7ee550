import { expect } from 'chai';
import { writtenIds } from './written-ids.ts';

describe('ids in pasted text', () => {
  it('stand one a line, or between commas, semicolons or blanks', () => {
    expect(writtenIds('c1, c2;c3\n\n c1\tc4 ')).to.deep.equal(['c1', 'c2', 'c3', 'c1', 'c4']);
    expect(writtenIds(' \r\n')).to.deep.equal([]);
  });

  it('are free of what other programs leave around them: byte order marks, line ends, invisible marks', () => {
    expect(writtenIds('\uFEFFc1\r\nc2\rc3\u00A0\n\u200Bc4\u200B\n\u2060c5')).to.deep.equal([
      'c1',
      'c2',
      'c3',
      'c4',
      'c5',
    ]);
  });

  it('may be told apart as one writes in Chinese', () => {
    expect(writtenIds('c1，c2、c3；c4\u3000c5')).to.deep.equal(['c1', 'c2', 'c3', 'c4', 'c5']);
  });
});
