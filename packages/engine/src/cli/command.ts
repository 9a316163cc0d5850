import type { Outcome } from '../model/outcome.ts';
import type { CommandOption } from './command-option.ts';
import type { Given } from './given.ts';
import type { Output } from './output.ts';

/** How a command ended; a program that calls this one can distinguish the ends (`EXIT_CODES`). */
export type CommandEnd = Outcome | 'Usage';

export const EXIT_CODES: Readonly<Record<CommandEnd, number>> = {
  Success: 0,
  Failed: 1,
  Usage: 2,
  Warning: 3,
  Stopped: 130,
};

export interface CommandContext {
  given: Given;
  output: Output;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  environment: Readonly<Record<string, string | undefined>>;
}

/** What a command takes and does. Its name and its purpose are in `commands.ts`: the help has to load none of them. */
export interface Command {
  /** Names of the words it takes, such as `<words>`; empty when it takes none. */
  words: string;
  options: Readonly<Record<string, CommandOption>>;
  /** What follows the command's name, and what it does, for the help. */
  examples?: readonly (readonly [given: string, does: string])[];
  /** What becomes of what was done so far when it is stopped, as a sentence; without: it stays. */
  stopped?: string;
  run(context: CommandContext): Promise<CommandEnd>;
}
