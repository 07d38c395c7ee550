import { expect } from 'chai';
import { fewerFiles, type Load, type Piece } from './fewer-files.ts';

const piece = (name: string, bytes: number, ...imports: string[]): Piece => ({ name, bytes, imports });
const load = (pieces: string[], growth = 0.1): Load => ({ pieces, weight: 1, growth });
const sorted = (files: string[][]): string[] => files.map((names) => names.toSorted().join('+')).toSorted();

describe('fewer files', () => {
  it('puts together what every load needs, and keeps apart what few need and is large', () => {
    const pieces = [
      piece('frame', 5000, 'library'),
      piece('library', 50_000),
      piece('list', 3000, 'table', 'frame'),
      piece('table', 4000),
      piece('chart', 90_000),
    ];
    const files = fewerFiles(pieces, [load(['frame', 'list']), load(['frame', 'chart'])], 2000);
    expect(sorted(files)).to.deep.equal(['chart', 'frame+library', 'list+table']);
  });

  it('lets no load grow by more than it may', () => {
    const pieces = [piece('shared', 10_000), piece('own', 900, 'shared')];
    const loads = (growth: number) => [load(['own']), load(['own']), load(['shared'], growth)];
    expect(sorted(fewerFiles(pieces, loads(0.1), 1000))).to.deep.equal(['own+shared']);
    expect(sorted(fewerFiles(pieces, loads(0.08), 1000))).to.deep.equal(['own', 'shared']);
  });

  it('makes no two files import each other', () => {
    const pieces = [piece('page', 100, 'large'), piece('large', 80_000, 'base'), piece('base', 100)];
    // Page and base belong together, but for what is between them.
    const files = fewerFiles(pieces, [load(['page']), load(['large', 'page']), load(['base'], 0)], 100_000);
    expect(sorted(files)).to.deep.equal(['base', 'large+page']);
  });

  it('counts what a merged file imports as loaded with it', () => {
    const pieces = [piece('one', 100, 'heavy'), piece('other', 100), piece('heavy', 50_000)];
    const files = fewerFiles(pieces, [load(['one', 'other']), load(['other'])], 2000);
    expect(sorted(files)).to.deep.equal(['heavy+one', 'other']);
  });
});
