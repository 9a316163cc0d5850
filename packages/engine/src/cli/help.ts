import { type Command, EXIT_CODES } from './command.ts';

/** All commands, a line each. */
export function helpText(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  const codes = Object.entries(EXIT_CODES).map(([end, code]) => `${code} ${end}`);
  return `keepwatch-engine <command> [options]\n\n${lines.join('\n')}\n\n  <command> --help says what it takes.\n  Exit codes: ${codes.join(', ')}.\n`;
}

export function helpOf({ name, words, summary, options }: Command): string {
  const shown = Object.entries(options).map(
    ([option, { help, type }]) => [`--${option}${type === 'string' ? ' <value>' : ''}`, help] as const,
  );
  const width = Math.max(0, ...shown.map(([option]) => option.length));
  const lines = shown.map(([option, help]) => `  ${option.padEnd(width)}  ${help}`);
  return `keepwatch-engine ${[name, words].filter(Boolean).join(' ')} [options]\n\n${summary}\n\n${lines.join('\n')}\n`;
}
