import { readFile } from 'node:fs/promises';
import type { WriteStream } from 'node:tty';
import { z } from 'zod';
import { EngineError } from '../model/engine-error.ts';
import { EXIT_CODES } from './command.ts';
import { COMMAND_GROUPS, COMMANDS, type CommandEntry } from './commands.ts';
import { explainError } from './errors/explain-error.ts';
import { readGiven } from './given.ts';
import { JsonOutput } from './json-output.ts';
import type { Output } from './output.ts';
import { helpOf, helpText } from './text/help.ts';
import { nearNames } from './text/near-names.ts';
import { harmless } from './text/terminal-text.ts';
import { TextOutput } from './text/text-output.ts';

export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  out: NodeJS.WritableStream;
  /** Of the terminal that `out` is; `null` where it is a file or a program, which get everything uncut. */
  columns: number | null;
  /** Where a line of progress can be redrawn; `null` without one. */
  terminal: WriteStream | null;
  problems: NodeJS.WritableStream;
  /** Calls `stop` at the first Ctrl-C; the second ends the program at once. */
  onInterrupt(stop: () => void): void;
}

/** Runs one command. @returns the exit code: see `EXIT_CODES` */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  if (['--version', '-V', 'version'].includes(args[0] ?? '')) {
    terminal.out.write(`${await readVersion()}\n`);
    return EXIT_CODES.Success;
  }
  const { entry, rest } = findCommand(args);
  const isHelpRequested = args.length === 0 || ['help', '--help', '-h'].some((word) => args[0] === word);
  if (entry === undefined) return isHelpRequested ? help(args.slice(1), terminal) : unknown(args, terminal);
  if (rest.includes('--help') || rest.includes('-h')) return help(entry.name.split(' '), terminal);
  const output = rest.includes('--json')
    ? new JsonOutput(terminal.out)
    : new TextOutput(terminal, { columns: terminal.columns, showsIds: rest.includes('--ids') });
  const startedMs = performance.now();
  const exitCode = await run(entry, rest, output, terminal);
  output.end(exitCode, (performance.now() - startedMs) / 1_000);
  return exitCode;
}

async function readVersion(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(manifest)).version;
}

async function run(entry: CommandEntry, rest: readonly string[], output: Output, terminal: Terminal): Promise<number> {
  const stopping = new AbortController();
  let stopped = 'What was done so far stays.';
  terminal.onInterrupt(() => {
    output.problem(`Stopping. ${stopped} Press Ctrl-C again to end at once.`, { code: 'stopping' });
    stopping.abort(new EngineError('stopped', `Stopped on request. ${stopped}`));
  });
  try {
    const command = await entry.load();
    stopped = command.stopped ?? stopped;
    const given = readGiven(entry.name, command, rest);
    const end = await command.run({ given, output, signal: stopping.signal, environment: terminal.environment });
    return EXIT_CODES[end];
  } catch (error) {
    const { message, exitCode, ...data } = explainError(error);
    output.problem(message, data);
    return exitCode;
  }
}

/** A command's name is one word or two. */
function findCommand(args: readonly string[]): { entry: CommandEntry | undefined; rest: readonly string[] } {
  for (const words of [2, 1]) {
    const entry = COMMANDS.find(({ name }) => name === args.slice(0, words).join(' '));
    if (entry !== undefined) return { entry, rest: args.slice(words) };
  }
  return { entry: undefined, rest: [] };
}

async function help(words: readonly string[], terminal: Terminal): Promise<number> {
  const { entry } = findCommand(words);
  if (entry === undefined && words.length > 0) return unknown(words, terminal);
  terminal.out.write(entry === undefined ? helpText(COMMAND_GROUPS) : helpOf(entry, await entry.load()));
  return EXIT_CODES.Success;
}

function unknown(args: readonly string[], { problems }: Terminal): number {
  const name = harmless(args[0] ?? '');
  const near = nearNames(name, [...COMMANDS.map((one) => one.name), 'version']).map((one) => `'${one}'`);
  const hint = near.length > 0 && name !== '' ? ` Did you mean ${near.join(' or ')}?` : '';
  problems.write(`There is no command '${name}'.${hint} 'keepwatch-engine help' lists all.\n`);
  return EXIT_CODES.Usage;
}
