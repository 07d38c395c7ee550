import { expect } from 'chai';
import { testFiles } from './files.ts';
import { extentOf } from './occasional.ts';
import { parseOptions } from './options.ts';

const nothing = { fragments: [], all: false, shard: { index: 1, of: 1 }, mochaOptions: [] };

describe('the options of npm test', () => {
  it('are parts of paths, ours, and mocha’s', () => {
    expect(parseOptions([])).to.deep.equal(nothing);
    expect(parseOptions(['domain', '--all', '--grep=pays', 'db/orders'])).to.deep.equal({
      ...nothing,
      fragments: ['domain', 'db/orders'],
      all: true,
      mochaOptions: ['--grep=pays'],
    });
    for (const words of [
      ['--shard', '2/3', '--since', 'main'],
      ['--shard=2/3', '--since=main'],
    ])
      expect(parseOptions(words)).to.deep.equal({ ...nothing, shard: { index: 2, of: 3 }, since: 'main' });
  });

  it('are refused where they are not whole', () => {
    for (const words of [['--shard'], ['--shard', '4/3'], ['--shard', '0/3'], ['--shard=third'], ['--since']])
      expect(() => parseOptions(words), words.join(' ')).to.throw(/--s/);
  });
});

describe('files that are not run each time', () => {
  const bench = 'test/bench/benches.test.ts';
  const images = 'test/start/images.test.ts';

  it('are run in brief, or left out, where nothing that they prove has changed', () => {
    const { leftOut, inBrief } = extentOf(['domain/pricing.ts']);
    expect(inBrief).to.include(bench);
    expect(leftOut).to.include(images);
  });

  it('are run where something has, or they themselves, or where nobody knows', () => {
    for (const [file, changed] of [
      [bench, 'bench/reads.ts'],
      [bench, bench],
      [images, 'Dockerfile'],
    ] as const) {
      const { leftOut, inBrief } = extentOf(['domain/pricing.ts', changed]);
      expect([...leftOut, ...inBrief], changed).to.not.include(file);
    }
    expect(extentOf(null)).to.deep.equal({ leftOut: [], inBrief: [] });
  });

  it('exist', () => {
    const { leftOut, inBrief } = extentOf([]);
    expect(testFiles()).to.include.members([...leftOut, ...inBrief]);
  });
});
