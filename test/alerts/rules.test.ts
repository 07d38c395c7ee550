import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { testFiles } from '../../scripts/test/files.ts';
import { projectFolder } from '../../scripts/start/services.ts';
import { promtool, rulesFile, ruleTexts, runPromtool } from '../support/alerts/promtool.ts';

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

/** As Markdown is rendered: the anchor of each heading. */
const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the alerting rules', () => {
  const rules = [...ruleTexts()];

  it('are valid for Prometheus', async function () {
    if (promtool === null) this.skip();
    await runPromtool(['check', 'rules', rulesFile]);
  });

  it('each link to a section of the runbook, say what happened, and how urgent that is', () => {
    expect(rules).to.have.length.greaterThan(30);
    const anchors = anchorsOf(read('docs/runbook.md'));
    for (const [alert, text] of rules) {
      const [, anchor] = /runbook_url: docs\/runbook\.md#(\S+)/.exec(text) ?? [];
      expect(anchors, alert).to.include(anchor);
      expect(text, alert)
        .to.match(/severity: (page|ticket)/)
        .and.match(/summary: \S/);
    }
  });

  it('are each named in the runbook’s table', () => {
    const runbook = read('docs/runbook.md');
    const missing = rules.map(([alert]) => alert).filter((alert) => !runbook.includes(`\`${alert}\``));
    expect(missing).to.deep.equal([]);
  });

  it('are each rehearsed by a test that scrapes around its fault', () => {
    const tests = testFiles().filter((file) => file.startsWith('test/alerts/') || file.startsWith('test/orders/'));
    const texts = tests.map(read).filter((text) => text.includes('.fireAndClear('));
    const rehearsed = texts.flatMap((text) =>
      [...text.matchAll(/\.fireAndClear\(\[([^\]]*)\]\)/g)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []),
    );
    expect([...new Set(rehearsed)].toSorted()).to.deep.equal(rules.map(([alert]) => alert).toSorted());
  });
});
