import { expect } from 'chai';
import { Registry } from 'prom-client';
import { databaseGauges } from './metrics.ts';

describe('gauges that are read from the database', () => {
  it('are read once for all, and left out if that fails', async () => {
    const registry = new Registry();
    let looks = 0;
    let away = false;
    databaseGauges(
      registry,
      { one: { name: 'one', help: 'one' }, more: { name: 'more', help: 'more', labelNames: ['kind'] } },
      async () => {
        looks += 1;
        if (away) throw new Error('the database is away');
        return {
          one: 7,
          more: [
            { labels: { kind: 'a' }, value: 1 },
            { labels: { kind: 'b' }, value: 2 },
          ],
        };
      },
    );
    const samples = async () => (await registry.metrics()).split('\n').filter((line) => /^(one|more)/.test(line));
    expect(await samples()).to.deep.equal(['one 7', 'more{kind="a"} 1', 'more{kind="b"} 2']);
    expect(looks).to.equal(1);
    away = true;
    expect(await samples()).to.deep.equal([]);
    away = false;
    expect(await samples()).to.have.length(3);
  });
});
