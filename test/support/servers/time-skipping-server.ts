import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '#scripts/start/child.ts';
import { findOnPath } from '#scripts/start/postgres-user.ts';
import { cacheFolder } from '#scripts/start/temporal-finder.ts';

const VERSION = '1.38.0';

const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>time-skipping-server</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version></dependency>
  </dependencies>
</project>
`;

/**
 * The SDK starts one program with the port as its argument. Java replaces the shell, so that ending the program ends
 * the server; a small watcher ends it if the tests' process is killed.
 */
const wrapper = `#!/bin/sh
( while kill -0 $PPID && kill -0 $$; do sleep 1; done; kill $$ ) >/dev/null 2>&1 </dev/null &
exec java -XX:TieredStopAtLevel=1 -Xmx256m -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@" 2>/dev/null
`;

async function fetchWithMaven(target: string): Promise<void> {
  mkdirSync(cacheFolder(), { recursive: true });
  const folder = mkdtempSync(join(cacheFolder(), 'fetching-'));
  try {
    writeFileSync(join(folder, 'pom.xml'), project);
    const goal = ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib'];
    const logFile = join(folder, 'maven.log');
    await runTool({ name: 'maven', command: 'mvn', args: goal, cwd: folder, logFile, timeoutMs: 300_000 });
    writeFileSync(join(folder, 'temporal-test-server'), wrapper, { mode: 0o755 });
    renameSync(folder, target);
  } catch (error) {
    // Another run may have put it there in the meantime.
    if (!existsSync(join(target, 'temporal-test-server'))) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export type TestServerExecutable =
  { type: 'existing-path'; path: string } | { type: 'cached-download'; downloadDir: string };

/**
 * The time-skipping server: from this user's cache, otherwise from Maven if Java and Maven are installed, otherwise
 * the SDK's own download.
 */
export async function findTimeSkippingServer(): Promise<TestServerExecutable> {
  const folder = join(cacheFolder(), `temporal-test-server-${VERSION}`);
  const path = join(folder, 'temporal-test-server');
  if (!findOnPath('java') || (!existsSync(path) && !findOnPath('mvn'))) {
    mkdirSync(cacheFolder(), { recursive: true });
    return { type: 'cached-download', downloadDir: cacheFolder() };
  }
  if (!existsSync(path)) await fetchWithMaven(folder);
  return { type: 'existing-path', path };
}
