import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the whole project; everything the bootstrap does is inside it. */
export const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));

/** What the bootstrap itself puts down: Node 24, its lock, an unfinished browser build. Ignored by git. */
export const OWN_FOLDER = join(PROJECT, '.node');

/** A step could not be done; the message is one line for the person at the terminal. */
export class BootstrapError extends Error {}

/** One short line a step that takes time; on stderr, so that piped output stays the command's own. */
export function announce(line) {
  process.stderr.write(`${line}\n`);
}
