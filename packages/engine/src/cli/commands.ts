import type { Command } from './command.ts';
import { backup } from './commands/backup.ts';
import { browse } from './commands/browse.ts';
import { init } from './commands/init.ts';
import { objects } from './commands/objects.ts';
import { password } from './commands/password.ts';
import { prune } from './commands/prune.ts';
import { rebuild } from './commands/rebuild.ts';
import { restorePoints } from './commands/restore-points.ts';
import { search } from './commands/search.ts';
import { verify } from './commands/verify.ts';
import { versions } from './commands/versions.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  init,
  password,
  backup,
  restorePoints,
  objects,
  browse,
  versions,
  search,
  verify,
  prune,
  rebuild,
];
