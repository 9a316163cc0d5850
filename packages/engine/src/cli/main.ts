import { runCommandLine } from './run-command-line.ts';
import { COLUMNS } from './text/text-output.ts';

// `keepwatch-engine objects | head`: who reads no further is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`What was found cannot be written: ${error.message}. Make room where it goes, and ask again.\n`);
  process.exit(1);
});
// A program whose messages are not read ends with its own exit code.
process.stderr.on('error', () => undefined);

/** A terminal sends Ctrl-C to the parent process as well, which passes it on: one request, seen twice. An impatient second one comes later. */
const SAME_REQUEST_MS = 300;

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  out: process.stdout,
  columns: process.stdout.isTTY ? process.stdout.columns || COLUMNS : null,
  terminal: process.stderr.isTTY ? process.stderr : null,
  problems: process.stderr,
  onInterrupt(stop) {
    let firstMs: number | null = null;
    const onSignal = () => {
      // What was committed is safe at any instant, and the next run closes what this one leaves open.
      if (firstMs !== null && performance.now() - firstMs > SAME_REQUEST_MS) process.exit(130);
      firstMs ??= performance.now();
      stop();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  },
});
