import { spawnSync } from 'node:child_process';
import { ROOT } from '../source-files.ts';
import { generate } from './generate.ts';

const USAGE = `npm run new -- KIND NAME --capability CAPABILITY [options]

  list NOUN    a table, the call that lists it, and its screen   [--plural NOUNS] [--ability monitoring.users]
  call NAME    a change of one thing of a noun that has calls     --noun NOUN
  job NAME     work with a schedule
  alarm NAME   a state of a noun that people are to see           --noun NOUN

Names are written like cost-center. Nothing that exists is overwritten.
`;

function listed(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('');
}

try {
  const generated = generate(ROOT, process.argv.slice(2));
  if (generated === null) throw new Error(USAGE);
  const formatted = generated.paths.filter((path) => !path.endsWith('.sql'));
  spawnSync('npx', ['biome', 'check', '--write', ...formatted], { cwd: ROOT, stdio: 'ignore' });
  process.stdout.write(`Written:\n${listed(generated.paths)}\nWhat is left:\n${listed(generated.next)}`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
