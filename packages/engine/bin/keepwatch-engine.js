#!/usr/bin/env node
/**
 * The entry point of the command line on Node 20 and newer: plain JavaScript, which hands over to a Node that runs TypeScript as
 * it is.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handOver } from '../../../bootstrap/hand-over.js';
import { presentNode, suitableNode } from '../../../bootstrap/node-runtime.js';
import { announce, BootstrapError, OWN_FOLDER } from '../../../bootstrap/project.js';
import { withStartLock } from '../../../bootstrap/start-lock.js';
import { NODE_FLAGS } from './node-flags.js';

const PROGRAM = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));

try {
  // Who may not write here can run it all the same, once there is a Node.
  const node = presentNode() ?? (await withStartLock(join(OWN_FOLDER, 'start.lock'), () => suitableNode()));
  process.exitCode = await handOver({
    node,
    flags: NODE_FLAGS,
    file: PROGRAM,
    args: process.argv.slice(2),
    cwd: process.cwd(),
  });
} catch (error) {
  announce(error instanceof BootstrapError ? error.message : String(error?.stack ?? error));
  process.exitCode = 1;
}
