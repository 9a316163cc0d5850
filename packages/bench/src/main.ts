import { OptionsError } from './monitoring/options.ts';
import type { Targets } from './targets.ts';

/**
 * `npm run bench -- NAME [options]`: benchmarks on this machine, one table out. Machines differ and are noisy: what counts
 * are the ratios of one run. Ends with how many targets were met; the exit code is 1 when one was missed.
 */
const BENCHMARKS: Readonly<Record<string, () => Promise<(options: readonly string[]) => Promise<Targets>>>> = {
  monitoring: async () => (await import('./monitoring/monitoring.ts')).benchMonitoring,
  portal: async () => (await import('./portal/portal.ts')).benchPortal,
  identity: async () => (await import('./identity/identity.ts')).benchIdentity,
  engine: async () => (await import('./engine/engine.ts')).benchEngine,
};

const [name = '', ...options] = process.argv.slice(2);
const load = BENCHMARKS[name];
if (load === undefined) {
  process.stderr.write(`There is no benchmark "${name}". There are: ${Object.keys(BENCHMARKS).join(', ')}.\n`);
  process.exit(1);
}
try {
  const targets = await (await load())(options);
  process.stdout.write(`\n${targets.summary()}`);
  process.exitCode = targets.areMet ? 0 : 1;
} catch (error) {
  if (!(error instanceof OptionsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
