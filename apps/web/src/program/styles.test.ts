import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const WEB = join(import.meta.dirname, '..');
const STYLES = join(WEB, '../../../node_modules/@mantine/core/styles');
/** Used without its own look: ours is beside it. */
const BARE = ['Combobox'];

/** What is imported from the component library, types aside. */
function componentsIn(source: string): string[] {
  const lists = [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].map(([, list = '']) => list);
  return lists.flatMap((list) => list.split(',').map((name) => name.trim())).filter((name) => /^[A-Z]/.test(name));
}

test('loads the style sheet of each component of the library that is used', () => {
  const sheet = readFileSync(join(WEB, 'program/styles.ts'), 'utf8');
  const files = globSync('**/*.tsx', { cwd: WEB }).filter((file) => !file.includes('.test.'));
  const used = new Set(files.flatMap((file) => componentsIn(readFileSync(join(WEB, file), 'utf8'))));
  const lacking = [...used].filter(
    (name) =>
      !BARE.includes(name) && existsSync(join(STYLES, `${name}.css`)) && !sheet.includes(`/styles/${name}.css'`),
  );
  expect(used.size).toBeGreaterThan(10);
  expect(lacking).toEqual([]);
});
