import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { planAlarm } from './alarm.ts';
import { planCall } from './call.ts';
import { planJob } from './job.ts';
import { planList } from './list.ts';
import { nounOf } from './names.ts';
import { carryOut, type Plan } from './plan.ts';

/** What was written, by path from the root, and what is left to a person. */
export interface Generated {
  paths: readonly string[];
  next: readonly string[];
}

/** Writes what the arguments ask for into the project at `root`; `null` where they ask for nothing that is known. */
export function generate(root: string, args: readonly string[]): Generated | null {
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null);
  const plan = planOf(args, read);
  if (plan === null) return null;
  const { files, next } = carryOut(plan, read);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { paths: [...files.keys()], next };
}

type Read = (path: string) => string | null;

function planOf(args: readonly string[], read: Read): Plan | null {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      capability: { type: 'string' },
      noun: { type: 'string' },
      plural: { type: 'string' },
      ability: { type: 'string', default: 'monitoring.users' },
    },
  });
  const [kind, name] = positionals;
  const { capability, noun, plural, ability } = values;
  if (name === undefined || capability === undefined) return null;
  // Throws for a name that is not written as names of files are.
  for (const given of [capability, name, noun ?? name]) nounOf(given);
  const exists = (path: string) => read(path) !== null;
  if (kind === 'list')
    return planList(nounOf(name, plural), capability, ability, { exists, read, nextMigration: nextOf(read) });
  if (kind === 'job') return planJob(name, capability, exists);
  if (noun === undefined) return null;
  if (kind === 'call') return planCall(name, capability, noun, read);
  return kind === 'alarm' ? planAlarm(name, capability, noun) : null;
}

const HOUR_MS = 3_600_000;

/** The numbers of the migration after the last one of the journal. */
function nextOf(read: Read): { number: number; when: number } {
  const journal: { entries: { idx: number; when: number }[] } = JSON.parse(
    read('apps/server/migrations/meta/_journal.json') ?? '{"entries":[]}',
  );
  const last = journal.entries.at(-1) ?? { idx: -1, when: 0 };
  return { number: last.idx + 1, when: last.when + HOUR_MS };
}
