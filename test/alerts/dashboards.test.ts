import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '#scripts/start/services.ts';
import { evaluatesTo, promtool } from '../support/alerts/promtool.ts';
import { type Job, recordedSeries } from '../support/alerts/rehearsal.ts';

interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { expr: string }[];
}
interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
}

const folder = join(projectFolder, 'ops/grafana');
const dashboards = readdirSync(folder)
  .toSorted()
  .map((file) => ({ file, board: JSON.parse(readFileSync(join(folder, file), 'utf8')) as Dashboard }));
const jobs: readonly Job[] = ['bff', 'backend', 'orders'];

/** Names of metrics, but not of functions and labels. */
const metricsOf = (expr: string): string[] =>
  (expr.replaceAll(/\{[^}]*\}|by \([^)]*\)/g, '').match(/[a-zA-Z_]+(?![a-zA-Z_]*\()/g) ?? []).filter(
    (name) => name.includes('_') || name === 'up',
  );

describe('the dashboards', () => {
  it('are found by their names, and no panel covers another', () => {
    for (const { file, board } of dashboards) {
      expect(`${board.uid}.json`).to.equal(file);
      const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
      );
      expect(new Set(cells).size, file).to.equal(cells.length);
      expect(new Set(board.panels.map(({ id }) => id)).size, file).to.equal(board.panels.length);
    }
  });

  for (const { file, board } of dashboards) {
    it(`each query of ${file} finds something in the metrics that the rehearsals of the alerts recorded`, async function () {
      if (promtool === null) this.skip();
      this.timeout(60_000);
      const queries = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
      expect(queries).to.have.length.at.least(board.panels.length);
      const named = new Set(queries.flatMap(metricsOf));
      const series = jobs
        .flatMap((job) => recordedSeries(job))
        .filter(({ series: name }) => named.has(name.split('{')[0] ?? ''));
      await evaluatesTo(
        series,
        queries.map((expr) => ({ expr: `count(${expr}) > bool 0 or vector(0)`, minute: 30, value: 1 })),
      );
    });
  }

  it('name no metric that nothing recorded', () => {
    const known = new Set(jobs.flatMap((job) => recordedSeries(job)).map(({ series }) => series.split('{')[0]));
    const queries = dashboards.flatMap(({ board }) => board.panels.flatMap(({ targets }) => targets));
    const unknown = queries.flatMap(({ expr }) => metricsOf(expr)).filter((name) => !known.has(name));
    expect([...new Set(unknown)]).to.deep.equal([]);
  });
});
