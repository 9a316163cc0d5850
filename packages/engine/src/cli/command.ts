import { type ParseArgsConfig, parseArgs } from 'node:util';
import { EngineError } from '../model/engine-error.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Output } from './output.ts';

export interface CommandOption {
  type: 'string' | 'boolean';
  multiple?: boolean;
  short?: string;
  /** Shown in the help; what stands between angle brackets names the value. */
  help: string;
}

/** What was given on the command line, checked against the command's options. */
export class Given {
  readonly words: readonly string[];
  private readonly values: ReadonlyMap<string, readonly string[] | boolean>;

  constructor(words: readonly string[], values: ReadonlyMap<string, readonly string[] | boolean>) {
    this.words = words;
    this.values = values;
  }

  has(name: string): boolean {
    return this.values.get(name) === true;
  }

  all(name: string): readonly string[] {
    const value = this.values.get(name);
    return Array.isArray(value) ? value : [];
  }

  text(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  /** @throws `bad-request` when it was not given */
  required(name: string): string {
    const value = this.text(name);
    if (value !== undefined && value !== '') return value;
    throw new EngineError(
      'bad-request',
      `--${name} is missing. \`keepwatch-engine help\` lists what each command needs.`,
    );
  }

  /** @throws `bad-request` for what is no whole number in the range */
  count(name: string, standard: number, most: number): number {
    const text = this.text(name);
    if (text === undefined) return standard;
    const value = Number(text);
    if (Number.isInteger(value) && value >= 0 && value <= most) return value;
    throw new EngineError('bad-request', `--${name} is '${text}', but must be a whole number from 0 to ${most}.`);
  }

  /** An instant in ISO 8601, or a day, which begins at midnight UTC. @throws `bad-request` */
  instant(name: string): Date | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const date = new Date(text);
    if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(date.getTime())) return date;
    throw new EngineError(
      'bad-request',
      `--${name} is '${text}', but must be a date such as 2026-11-21 or 2026-11-21T09:30:00Z.`,
    );
  }

  oneOf<Value extends string>(name: string, allowed: readonly Value[], standard: Value): Value {
    const text = this.text(name);
    if (text === undefined) return standard;
    const found = allowed.find((value) => value === text);
    if (found !== undefined) return found;
    throw new EngineError('bad-request', `--${name} is '${text}', but must be one of ${allowed.join(', ')}.`);
  }
}

/** How a command ended; a program that calls this one can tell them apart (`EXIT_CODES`). */
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

export interface Command {
  name: string;
  /** Names of the words it takes, such as `<restore point>`. */
  words: string;
  summary: string;
  options: Readonly<Record<string, CommandOption>>;
  run(context: CommandContext): Promise<CommandEnd>;
}

/** @throws `bad-request` for options that the command does not know */
export function readGiven(command: Command, args: readonly string[]): Given {
  const options: ParseArgsConfig['options'] = {};
  for (const [name, { type, short }] of Object.entries(command.options)) {
    options[name] = { type, multiple: type === 'string', ...(short === undefined ? {} : { short }) };
  }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const read = Object.entries(values).map(
      ([name, value]) => [name, Array.isArray(value) ? value.map(String) : value === true] as const,
    );
    return new Given(positionals, new Map(read));
  } catch (error) {
    throw new EngineError('bad-request', error instanceof Error ? error.message : String(error), { cause: error });
  }
}
