import type { WriteStream } from 'node:tty';
import { EngineError } from '../model/engine-error.ts';
import { type Command, EXIT_CODES, readGiven } from './command.ts';
import { COMMANDS } from './commands.ts';
import { helpOf, helpText } from './help.ts';
import { JsonOutput, type Output, TextOutput } from './output.ts';

export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>;
  out: NodeJS.WritableStream;
  /** Where a line of progress can be redrawn; `null` without one. */
  terminal: WriteStream | null;
  problems: NodeJS.WritableStream;
  onInterrupt(stop: () => void): void;
}

/** Runs one command. @returns the exit code: see `EXIT_CODES` */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = 'help', ...rest] = args;
  const command = COMMANDS.find((known) => known.name === name);
  if (command === undefined || rest.includes('--help')) return help(name, command, terminal);
  const output: Output = rest.includes('--json')
    ? new JsonOutput(terminal.out)
    : new TextOutput(terminal.out, terminal.terminal);
  const stopping = new AbortController();
  terminal.onInterrupt(() =>
    stopping.abort(new EngineError('stopped', 'Stopped on request. What was done so far is kept.')),
  );
  try {
    const given = readGiven(command, rest);
    const end = await command.run({ given, output, signal: stopping.signal, environment: terminal.environment });
    return EXIT_CODES[end];
  } catch (error) {
    return tell(error, output);
  }
}

function tell(error: unknown, output: Output): number {
  if (!(error instanceof EngineError)) {
    output.problem(`Unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, {
      code: 'unexpected',
    });
    return EXIT_CODES.Failed;
  }
  output.problem(error.message, { code: error.code, isRetryable: error.isRetryable });
  if (error.code === 'bad-request') return EXIT_CODES.Usage;
  return error.code === 'stopped' ? EXIT_CODES.Stopped : EXIT_CODES.Failed;
}

function help(name: string, command: Command | undefined, { out, problems }: Terminal): number {
  if (command !== undefined) out.write(helpOf(command));
  else if (name === 'help' || name === '--help') out.write(helpText(COMMANDS));
  else problems.write(`There is no command '${name}'. \`keepwatch-engine help\` lists all.\n`);
  return command !== undefined || name.endsWith('help') ? EXIT_CODES.Success : EXIT_CODES.Usage;
}
