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

/** For how long a stopped command that has ended waits for answers which nothing depends on any more. */
const LEFT_MS = 1_000;

let firstMs: number | null = null;

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  out: process.stdout,
  columns: process.stdout.isTTY ? process.stdout.columns || COLUMNS : null,
  terminal: process.stderr.isTTY ? process.stderr : null,
  problems: process.stderr,
  onInterrupt(stop) {
    const onSignal = () => {
      // What was committed is safe at any instant, and the next run closes what this one leaves open.
      if (firstMs !== null && performance.now() - firstMs > SAME_REQUEST_MS) process.exit(130);
      firstMs ??= performance.now();
      stop();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  },
});

// A request that a store does not answer would keep the program until it times out: it is left as by a kill.
if (firstMs !== null) setTimeout(() => process.exit(), LEFT_MS).unref();
