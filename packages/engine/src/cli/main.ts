#!/usr/bin/env node
import { runCommandLine } from './run-command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  out: process.stdout,
  terminal: process.stderr.isTTY ? process.stderr : null,
  problems: process.stderr,
  onInterrupt: (stop) => {
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  },
});
