import { type Stack, type StackOptions, startStack } from './stack.ts';
import { openWire, type Wire } from '../http/wire.ts';

/** A started stack whose calls to and from the platform are recorded by wires. */
export interface WiredStack extends Stack {
  /** Calls of the services to the platform's gateway. */
  toPlatform: Wire;
  /** Calls of the platform to the BFF's public address. */
  toBff: Wire;
}

/** The outreach services with the sandbox; end them, and the wires, with `stop()`. */
export async function startWiredStack(options: StackOptions = {}): Promise<WiredStack> {
  const [toPlatform, toBff] = await Promise.all([openWire(), openWire()]);
  const closeWires = async () => void (await Promise.all([toPlatform.close(), toBff.close()]));
  const env = { PLATFORM_BASE_URL: toPlatform.address, PUBLIC_BFF_URL: toBff.address, ...options.env };
  const stack = await startStack({ services: ['sandbox', 'backend', 'bff'], ...options, env }).catch(async (error) => {
    await closeWires();
    throw error;
  });
  toPlatform.forwardTo(stack.addresses.sandbox);
  toBff.forwardTo(stack.addresses.bff);
  return {
    ...stack,
    toPlatform,
    toBff,
    stop: async () => {
      await stack.stop();
      await closeWires();
    },
  };
}
