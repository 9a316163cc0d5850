import { expect, test } from 'vitest';
import { COMMAND_GROUPS, COMMANDS } from '../commands.ts';
import { helpOf, helpText } from './help.ts';

test('lists every command once, with what it is for', () => {
  const text = helpText(COMMAND_GROUPS);
  for (const { name } of COMMANDS) expect(text.split(`  ${name} `)).toHaveLength(2);
  for (const { summary } of COMMANDS) expect(text).toContain(summary);
  expect(text).toContain('0 success, 3 partial');
});

test.each(COMMANDS.map((entry) => [entry.name, entry] as const))(
  'says what %s takes, in lines that fit',
  async (name, entry) => {
    const command = await entry.load();
    const text = helpOf(entry, command);
    expect(text).toMatch(new RegExp(`^keepwatch-engine ${name}`));
    expect(text).toContain('\nExamples\n');
    for (const option of Object.keys(command.options)) expect(text).toContain(`--${option}`);
    const options = text.slice(text.indexOf('\nOptions\n')).split('\n');
    expect(Math.max(...options.map((line) => line.length))).toBeLessThanOrEqual(100);
  },
);
