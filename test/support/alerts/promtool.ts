import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '#scripts/start/services.ts';
import { temporaryFolder } from '../servers/servers.ts';

export const rulesFile = join(projectFolder, 'ops/prometheus/alerts.yaml');

/** The text of each rule, by the name of its alert. */
export function ruleTexts(): Map<string, string> {
  const [, ...rules] = readFileSync(rulesFile, 'utf8').split(/^(?= {6}- alert: )/m);
  return new Map(
    rules.map((text) => [/- alert: (\w+)/.exec(text)?.[1] ?? '', text.replace(/\n {2}- name: .*[^]*$/, '\n')]),
  );
}

/** The path of promtool (Debian package `prometheus`), or null: then rules cannot be evaluated. */
export const promtool: string | null = ['promtool', '/usr/bin/promtool'].find(runs) ?? null;

function runs(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const run = promisify(execFile);

/**
 * Runs promtool.
 * @throws Error with what it printed if it is not satisfied.
 */
export async function runPromtool(args: string[]): Promise<void> {
  if (promtool === null) throw new Error('promtool is not installed');
  await run(promtool, args).catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`promtool ${args.slice(0, 2).join(' ')}: ${stdout}${stderr}`, { cause: error });
  });
}

/** One series, a value a minute; null where it was not scraped. */
export interface Series {
  /** As Prometheus writes it, with labels. */
  series: string;
  values: (number | null)[];
}

interface Expectation {
  expr: string;
  minute: number;
  value: number;
}

/**
 * Whether these expressions over the series, with the rules of this text if one is given, have these values.
 * @throws Error with what Prometheus found instead.
 */
export async function evaluatesTo(
  series: readonly Series[],
  expectations: readonly Expectation[],
  rule?: string,
): Promise<void> {
  const folder = mkdtempSync(join(temporaryFolder(), 'rules-'));
  try {
    if (rule !== undefined) writeFileSync(join(folder, 'rule.yaml'), `groups:\n  - name: one\n    rules:\n${rule}`);
    const test = {
      rule_files: rule === undefined ? [] : ['rule.yaml'],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: series.map(({ series: name, values }) => ({
            series: name,
            values: values.map((value) => value ?? '_').join(' '),
          })),
          promql_expr_test: expectations.map(({ expr, minute, value }) => ({
            expr,
            eval_time: `${minute}m`,
            exp_samples: [{ labels: '{}', value }],
          })),
        },
      ],
    };
    // JSON is YAML.
    writeFileSync(join(folder, 'test.yaml'), JSON.stringify(test));
    await runPromtool(['test', 'rules', join(folder, 'test.yaml')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Whether an alert fires, with a severity by which it is delivered, at these minutes of the series. Only what its rule
 * names is evaluated.
 * @throws Error with what Prometheus found instead.
 */
export async function expectFiring(
  alert: string,
  series: readonly Series[],
  minutes: readonly { minute: number; fires: boolean }[],
): Promise<void> {
  const rule = ruleTexts().get(alert);
  if (rule === undefined) throw new Error(`there is no alert ${alert}`);
  const named = series.filter(({ series: name }) => rule.includes(name.split('{')[0] ?? ''));
  const expr = `count(ALERTS{alertname="${alert}",alertstate="firing",severity=~"page|ticket"}) > bool 0 or vector(0)`;
  await evaluatesTo(
    named,
    minutes.map(({ minute, fires }) => ({ expr, minute, value: fires ? 1 : 0 })),
    rule,
  );
}
