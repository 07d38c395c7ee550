import { expect } from 'chai';
import { cellsOf, guessLayout } from './csv.ts';

describe('lines of a CSV', () => {
  it('splits bare and quoted cells, and refuses quotes in the wrong place', () => {
    expect(cellsOf('a, b ,"c, ""d"""', 'comma')).to.deep.equal(['a', 'b', 'c, "d"']);
    expect(cellsOf('a;;', 'semicolon')).to.deep.equal(['a', '', '']);
    expect(cellsOf('a,b', 'semicolon')).to.deep.equal(['a,b']);
    expect(cellsOf('a\t\tb', 'tab')).to.deep.equal(['a', '', 'b']);
    expect(cellsOf('', 'comma')).to.deep.equal(['']);
    for (const line of ['"open', 'a"b', '"a"b,c']) expect(cellsOf(line, 'comma'), line).to.equal(null);
  });

  it('finds the column of ids and the header', () => {
    const guesses: [string[], ReturnType<typeof guessLayout>][] = [
      [['c-1', 'c-2'], { separator: 'comma', column: null, hasHeader: false }],
      [['contactId', 'c-1'], { separator: 'comma', column: null, hasHeader: true }],
      [['contactId,reachable', 'c-1,yes'], { separator: 'comma', column: 1, hasHeader: true }],
      [['name;Contact ID', 'Ann;c-1', 'Bo;c-2'], { separator: 'semicolon', column: 2, hasHeader: true }],
      [['name\tuser_id', 'Ann\t7'], { separator: 'tab', column: 2, hasHeader: true }],
      [['guests', 'c-1', 'c-2'], { separator: 'comma', column: null, hasHeader: true }],
      [['c-1,Ann', 'c-2,Bo'], { separator: 'comma', column: 1, hasHeader: false }],
      [['c-1', 'a,b', '"open'], { separator: 'comma', column: null, hasHeader: false }],
      [['ann', 'bo'], { separator: 'comma', column: null, hasHeader: false }],
      [[], { separator: 'comma', column: null, hasHeader: false }],
    ];
    for (const [lines, layout] of guesses) expect(guessLayout(lines), lines.join(' | ')).to.deep.equal(layout);
  });
});
