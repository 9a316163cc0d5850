import type { Command } from '../command.ts';
import type { CommandEntry, CommandGroup } from '../commands.ts';

const FACTS = `Say once which repository and tenant, and every command finds them:
  KEEPWATCH_REPOSITORY           a folder, or s3://bucket/prefix
  KEEPWATCH_REPOSITORY_PASSWORD  its password
  KEEPWATCH_TENANT               file that says how the tenant is reached
  DATABASE_URL                   PostgreSQL of the catalog; without one, an embedded one is started

Exit codes: 0 success, 3 partial (something is missing, and was named), 1 failure, 2 wrong usage, 130 stopped.`;

/** All commands, a line each. */
export function helpText(groups: readonly CommandGroup[]): string {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length)));
  const sections = groups.map(({ title, commands }) => {
    const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
    return `${title}\n${lines.join('\n')}`;
  });
  return `keepwatch-engine <command> [options]: backup of Microsoft 365\n\n${sections.join('\n\n')}\n\n'keepwatch-engine <command> --help' says what a command takes.\n\n${FACTS}\n`;
}

const COLUMNS = 100;

/** What a command takes: its options, one a line, and examples. */
export function helpOf({ name, summary }: CommandEntry, { words, options, examples = [] }: Command): string {
  const shown = Object.entries(options).map(([option, { help, type, short }]) => {
    const dash = short === undefined ? '' : `-${short}, `;
    return [`${dash}--${option}${type === 'string' ? ' <value>' : ''}`, help] as const;
  });
  const width = Math.max(0, ...shown.map(([option]) => option.length));
  const lines = shown.map(([option, help]) => `  ${option.padEnd(width)}  ${wrapped(help, width + 4)}`);
  const tried = examples.map(
    ([given, does]) => `  keepwatch-engine ${name}${given === '' ? '' : ` ${given}`}\n      ${does}`,
  );
  const parts = [
    `keepwatch-engine ${[name, words].filter(Boolean).join(' ')} [options]`,
    `${summary}.`,
    ...(tried.length === 0 ? [] : [`Examples\n${tried.join('\n')}`]),
    `Options\n${lines.join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Breaks a text between words; further lines begin below the first. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + word.length >= COLUMNS) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}
