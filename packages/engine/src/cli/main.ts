#!/usr/bin/env node
import { runCommandLine } from './run-command-line.ts';
import { COLUMNS } from './text-output.ts';

// `keepwatch-engine objects | head`: who reads no further is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  out: process.stdout,
  columns: process.stdout.isTTY ? process.stdout.columns || COLUMNS : null,
  terminal: process.stderr.isTTY ? process.stderr : null,
  problems: process.stderr,
  onInterrupt(stop) {
    let isStopping = false;
    const onSignal = () => {
      // What was committed is safe at any instant, and the next run closes what this one leaves open.
      if (isStopping) process.exit(130);
      isStopping = true;
      stop();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  },
});
