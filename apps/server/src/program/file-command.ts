import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedDatabaseError } from '@keepwatch/embedded-database/embedded-database-error';
import { readSettings, type Settings, WrongSettings } from '../foundation/settings.ts';

/** A command on one file: the file as an absolute path, the options that were given, and a log for the person. */
export interface FileCommand {
  file: string;
  options: ReadonlySet<string>;
  settings: Settings;
  log(line: string): void;
}

/** The command was not given as it has to be; the message is one line for the person. */
export class WrongCommand extends Error {}

/**
 * Reads the arguments `FILE [--option …]`. The file is relative to where the person is: npm runs its scripts in the
 * project and names that folder in INIT_CWD.
 */
export function readFileCommand(
  args: string[],
  environment: NodeJS.ProcessEnv,
  { usage, options }: { usage: string; options: string[] },
): FileCommand {
  const settings = readSettings(environment);
  if (settings.DATABASE_URL !== '')
    throw new WrongCommand(
      'DATABASE_URL is set: this command is for the embedded database. Back up and restore that server with its own tools (pg_dump, pg_restore).',
    );
  const { file, given } = parse(args, usage, options);
  return {
    file: resolve(environment['INIT_CWD'] ?? '.', file),
    options: given,
    settings: { ...settings, DATA_DIR: resolve(settings.DATA_DIR) },
    log: (line) => void (isOurs(line) && process.stderr.write(`${line}\n`)),
  };
}

/** Runs a command and prints its last lines; a failure that is meant for the person is one line and exit code 1. */
export async function runFileCommand(work: () => Promise<string[]>): Promise<void> {
  try {
    for (const line of await work()) process.stdout.write(`${line}\n`);
  } catch (error) {
    const isForPerson = [WrongCommand, WrongSettings, EmbeddedDatabaseError].some((kind) => error instanceof kind);
    process.stderr.write(`${error instanceof Error ? (isForPerson ? error.message : error.stack) : String(error)}\n`);
    process.exitCode = 1;
  }
}

function parse(args: string[], usage: string, options: string[]): { file: string; given: Set<string> } {
  try {
    const flags = Object.fromEntries(options.map((name) => [name, { type: 'boolean' }] as const));
    const { values, positionals } = parseArgs({ args, options: flags, allowPositionals: true });
    const [file, ...rest] = positionals;
    if (file !== undefined && rest.length === 0) return { file, given: new Set(Object.keys(values)) };
  } catch {
    // An option that is not known: the usage says which there are.
  }
  throw new WrongCommand(`Use it like this: ${usage}`);
}

/** PostgreSQL's own lines begin with a severity. */
function isOurs(line: string): boolean {
  return !/^\t|^[A-Z]+\d?: /.test(line);
}
