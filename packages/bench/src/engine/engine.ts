import { parseArgs } from 'node:util';
import { OptionsError } from '../monitoring/options.ts';
import { Targets } from '../targets.ts';
import { type Bench, withBench } from './bench-repository.ts';
import { benchDrain } from './drain.ts';
import { benchFirstBackup } from './first-backup.ts';
import { benchIncremental } from './incremental.ts';
import { benchJournals } from './journals.ts';
import { benchMemory } from './memory.ts';
import { benchOpenPoint } from './open-point.ts';
import { benchPages } from './pages.ts';
import { benchPst } from './pst.ts';
import { benchSearch } from './search.ts';

/** What is measured of the Microsoft 365 engine, in this order; `--only` names one. */
const PARTS: Readonly<Record<string, (bench: Bench, targets: Targets) => Promise<void>>> = {
  first: benchFirstBackup,
  memory: benchMemory,
  drain: benchDrain,
  incremental: benchIncremental,
  open: benchOpenPoint,
  pages: benchPages,
  journals: benchJournals,
  pst: benchPst,
  search: benchSearch,
};

/** `npm run bench -- engine [--only part]`. @throws OptionsError */
export async function benchEngine(given: readonly string[]): Promise<Targets> {
  const only = readOnly(given);
  const targets = new Targets();
  for (const [name, part] of Object.entries(PARTS)) {
    if (only === undefined || only === name) await withBench((bench) => part(bench, targets));
  }
  return targets;
}

function readOnly(given: readonly string[]): string | undefined {
  const { only } = valuesOf(given);
  if (only === undefined || only in PARTS) return only;
  throw new OptionsError(`--only ${only}: there are ${Object.keys(PARTS).join(', ')}.`);
}

function valuesOf(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options: { only: { type: 'string' } } }).values;
  } catch (error) {
    throw new OptionsError(error instanceof Error ? error.message : String(error));
  }
}
