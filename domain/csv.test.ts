import { expect } from 'chai';
import { csvCell, csvLine } from './csv.ts';

describe('CSV', () => {
  it('A16: escapes what a spreadsheet would run, also where the value is quoted', () => {
    for (const [value, cell] of [
      ['=1+1', "'=1+1"],
      ['+1', "'+1"],
      ['-1', "'-1"],
      ['@SUM(A1)', "'@SUM(A1)"],
      ['\tx', "'\tx"],
      ['\rx', `"'\rx"`],
      ['=cmd, "x"', `"'=cmd, ""x"""`],
      // Read back, the first apostrophe is left out.
      ["'=1", "''=1"],
      ["'1", "'1"],
      ['a=1', 'a=1'],
    ] as const)
      expect(csvCell(value), JSON.stringify(value)).to.equal(cell);
  });

  it('A16: quotes as RFC 4180 says, and leaves numbers and missing values alone', () => {
    expect(csvLine(['a,b', 'c"d', 'e\nf', 'g h', -1, true, null])).to.equal('"a,b","c""d","e\nf",g h,-1,true,\r\n');
  });
});
