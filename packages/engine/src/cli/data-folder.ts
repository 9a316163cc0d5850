import { homedir } from 'node:os';
import { join } from 'node:path';
import type { CommandContext } from './command.ts';
import type { Given } from './given.ts';

/** Where the command line stores what is its own: the embedded database, and how far restores came. */
export function dataFolder(given: Given, environment: CommandContext['environment']): string {
  return given.text('data') ?? environment['KEEPWATCH_ENGINE_DATA'] ?? join(homedir(), '.keepwatch-engine');
}
