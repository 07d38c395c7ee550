import { expect } from 'chai';
import fc from 'fast-check';
import { seriesOption } from './series-option.ts';
import { rowsOf, totalsOf } from './time-series.ts';

const series = [
  { key: 'delivered', label: 'Delivered' },
  { key: 'clicks', label: 'Clicks' },
] as const;
const colours = { bars: ['teal', 'navy'], text: 'black', line: 'grey', back: 'white' };
const labels = { axis: 'Day (UTC)', number: String, tick: String, exact: String };
const points = fc.array(fc.record({ at: fc.uuid(), delivered: fc.nat(1e6), clicks: fc.nat(1e6) }), { maxLength: 60 });
const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

describe('a chart over time', () => {
  it('draws what its table lists, with equal totals', () => {
    fc.assert(
      fc.property(points, (given) => {
        const drawn = seriesOption(given, series, colours, labels).series.map(({ data }) => data);
        const rows = rowsOf(given, series);
        const listed = rows.slice(0, -1);
        for (const [index, column] of drawn.entries()) {
          expect(listed.map(({ counts }) => counts[index])).to.deep.equal(column);
          expect(rows.at(-1)?.counts[index]).to.equal(sum(column));
        }
        expect(rows.at(-1)).to.deep.equal({ at: null, counts: totalsOf(given, series) });
      }),
    );
  });
});
