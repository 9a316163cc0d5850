import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPst } from '../../checker/check.ts';

/** A new folder for a test's files. */
export interface ScratchFolder extends AsyncDisposable {
  path: string;
  file(name: string): string;
}

/**
 * A folder that is gone when the test is over. Every PST a test leaves in it is run through the checker first, which knows nothing of
 * the writer: whatever a test is about, a file that breaks a rule of the format fails it.
 */
export async function scratchFolder(): Promise<ScratchFolder> {
  const path = await mkdtemp(join(tmpdir(), 'outlook-files-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.asyncDispose]: async () => {
      try {
        await expectSound(path);
      } finally {
        await rm(path, { recursive: true, force: true });
      }
    },
  };
}

/** @throws with the findings where a PST in the folder has any */
async function expectSound(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.pst'))) {
    const findings = await checkPst(join(folder, name));
    if (findings.length > 0) {
      const lines = findings.map(({ rule, section, where, message }) => `${rule} [${section}] ${where}: ${message}`);
      throw new Error(`${name} breaks the format:\n${lines.slice(0, 20).join('\n')}`);
    }
  }
}
