import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectStoreSuite } from '../../suites/object-store-suite.ts';
import { openFolderStore } from './folder-store.ts';
import { UNFINISHED_FOLDER } from './unfinished-files.ts';

objectStoreSuite('a folder', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'keepwatch-folders-'));
  return {
    async makePlace() {
      const folder = join(await mkdtemp(join(parent, 'place-')), 'not', 'there', 'yet');
      return {
        open: () => openFolderStore(folder),
        leftovers: () => readdir(join(folder, UNFINISHED_FOLDER)),
      };
    },
    stop: () => rm(parent, { recursive: true, force: true }),
  };
});
