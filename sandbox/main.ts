import { parseSettings, secretNames, SettingsError } from '../domain/settings/settings.ts';
import { startSandbox } from './start.ts';

const STOP_WITHIN_MS = 1800;

async function main(): Promise<void> {
  const sandbox = await startSandbox(parseSettings(process.env, secretNames));
  process.stdout.write(`sandbox listens at ${sandbox.url}\n`);
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
    void sandbox.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const known = taken || error instanceof SettingsError;
  const reason = error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`sandbox: ${taken ? `${reason} (set SANDBOX_PORT to another port)` : reason}\n`);
  process.exit(1);
});
