/**
 * `npm run bench -- NAME [options]`: benchmarks on this machine, one table out. Machines differ and are noisy: what counts
 * are the ratios of one run.
 */
const BENCHMARKS: Readonly<Record<string, () => Promise<(options: readonly string[]) => Promise<void>>>> = {
  monitoring: async () => (await import('./monitoring/monitoring.ts')).benchMonitoring,
};

const [name = '', ...options] = process.argv.slice(2);
const load = BENCHMARKS[name];
if (load === undefined) {
  process.stderr.write(`There is no benchmark "${name}". There are: ${Object.keys(BENCHMARKS).join(', ')}.\n`);
  process.exit(1);
}
await (await load())(options);
