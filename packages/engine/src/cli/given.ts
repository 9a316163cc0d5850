import { type ParseArgsConfig, parseArgs } from 'node:util';
import { EngineError } from '../model/engine-error.ts';
import type { CommandOption } from './command-option.ts';
import { readInstant } from './text/instant.ts';
import { nearNames } from './text/near-names.ts';

/** What a command takes, as far as reading needs it. */
export interface CommandTakes {
  words: string;
  options: Readonly<Record<string, CommandOption>>;
}

/** What was given on the command line, checked against the command's options. All that reads a value throws `bad-request`. */
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

  /** Whether an option was given, whatever its type. */
  isGiven(name: string): boolean {
    return this.values.get(name) !== undefined;
  }

  all(name: string): readonly string[] {
    const value = this.values.get(name);
    return Array.isArray(value) ? value : [];
  }

  /** The last one, if it was given several times. */
  text(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  required(name: string): string {
    const value = this.text(name);
    if (value !== undefined && value !== '') return value;
    throw new EngineError('bad-request', `--${name} is missing. The command's --help says what it takes.`);
  }

  count(name: string, standard: number, most: number, least = 0): number {
    const text = this.text(name);
    if (text === undefined) return standard;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new EngineError(
      'bad-request',
      `--${name} is '${text}', but must be a whole number from ${least} to ${most}.`,
    );
  }

  /** The instant at which a day or an instant begins. */
  instant(name: string): Date | undefined {
    return this.span(name)?.from;
  }

  /** A day from its first to its last instant; an instant is both. */
  span(name: string): { from: Date; to: Date } | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const span = readInstant(text);
    if (span !== null) return span;
    throw new EngineError(
      'bad-request',
      `--${name} is '${text}', but must be a day or an instant such as 2026-11-21, '2026-11-21 09:30' or 2026-11-21T09:30:00Z.`,
    );
  }

  /** The time from the begin of one day or instant to the end of another; either may be left out. */
  period(first: string, last: string): { from: Date | undefined; to: Date | undefined } {
    const from = this.instant(first);
    const to = this.span(last)?.to;
    if (from === undefined || to === undefined || from <= to) return { from, to };
    throw new EngineError(
      'bad-request',
      `--${first} '${this.text(first)}' is after --${last} '${this.text(last)}', so the period is empty. Exchange the two.`,
    );
  }

  oneOf<Value extends string>(name: string, allowed: readonly Value[], standard: Value): Value {
    const text = this.text(name);
    return text === undefined ? standard : readChoice(`--${name}`, text, allowed);
  }

  /** Given once or often, each one or several with commas between. Nothing, if it was not given. */
  someOf<Value extends string>(name: string, allowed: readonly Value[]): Value[] {
    return this.all(name).flatMap((text) => text.split(',').map((one) => readChoice(`--${name}`, one.trim(), allowed)));
  }
}

function readChoice<Value extends string>(what: string, text: string, allowed: readonly Value[]): Value {
  const found = allowed.find((value) => value === text);
  if (found !== undefined) return found;
  throw new EngineError('bad-request', `${what} is '${text}', but must be one of ${allowed.join(', ')}.`);
}

/** @throws `bad-request` for options and words that the command does not take */
export function readGiven(name: string, command: CommandTakes, args: readonly string[]): Given {
  const { values, positionals } = parse(name, command, args);
  if (command.words === '' && positionals.length > 0) {
    const text = `'${name}' takes options alone, but got '${positionals[0]}'. \`keepwatch-engine ${name} --help\` lists them.`;
    throw new EngineError('bad-request', text);
  }
  const read = Object.entries(values).map(
    ([option, value]) => [option, Array.isArray(value) ? value.map(String) : value === true] as const,
  );
  return new Given(positionals, new Map(read));
}

function parse(name: string, command: CommandTakes, args: readonly string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [option, { type, short }] of Object.entries(command.options)) {
    options[option] = { type, multiple: type === 'string', ...(short === undefined ? {} : { short }) };
  }
  try {
    return parseArgs({ args: joined(command, args), options, allowPositionals: true, strict: true });
  } catch (error) {
    // The first sentence says what is wrong; the rest is for who writes programs.
    const said = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/, 1)[0];
    const wrong = /^Unknown option '--([^']+)'/.exec(said ?? '')?.[1];
    const [near] = wrong === undefined ? [] : nearNames(wrong, Object.keys(command.options));
    const hint = near === undefined ? '' : ` Did you mean '--${near}'?`;
    const text = `${said?.replace(/\.$/, '')}.${hint} \`keepwatch-engine ${name} --help\` lists what it takes.`;
    throw new EngineError('bad-request', text, { cause: error });
  }
}

/** `--sort -name` as `--sort=-name`: ids and orders begin with a dash now and then, ids also with two, and would be read as options. */
function joined({ options }: CommandTakes, args: readonly string[]): string[] {
  const all: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [arg = '', next] = [args[at], args[at + 1]];
    if (arg === '--') return [...all, ...args.slice(at)];
    const takesValue = arg.startsWith('--') && options[arg.slice(2)]?.type === 'string';
    const isValue = takesValue && next?.startsWith('-') === true && !isOption(next, options);
    all.push(isValue ? `${arg}=${next}` : arg);
    if (isValue) at += 1;
  }
  return all;
}

function isOption(arg: string, options: CommandTakes['options']): boolean {
  return arg === '--' || Object.hasOwn(options, arg.replace(/^--/, '').split('=', 1)[0] ?? '');
}
