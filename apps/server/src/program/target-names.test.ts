import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TARGET_NAMES } from './target-names.ts';

const SERVER = join(import.meta.dirname, '..');
/** Files that write audit entries: by `change` in any of its forms, or by `record`, wherever they are imported from. */
const RECORDING =
  /import \{[^}]*\b(change\w*|record)\b[^}]*\} from '[./\w-]*\/(audit|change|change-own|execution-changes)\.ts'/;
const KIND = /\bkind: '([a-z0-9-]+)'/g;

it('every kind of thing that the users logs speak of has a name there', () => {
  const texts = globSync('*/**/*.ts', { cwd: SERVER, exclude: ['**/*.test.ts', 'testing/**'] }).map((path) =>
    readFileSync(join(SERVER, path), 'utf8'),
  );
  const kinds = texts
    .filter((text) => RECORDING.test(text))
    .flatMap((text) => [...text.matchAll(KIND)].map(([, kind]) => kind));
  expect([...new Set(kinds)].toSorted()).toEqual(Object.keys(TARGET_NAMES).toSorted());
});
