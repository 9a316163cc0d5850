import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a fresh folder for a database: as root that runs under another account, which has to pass through. Without that right the
 * cluster would be made elsewhere and outlive the folder, which the caller removes.
 *
 * @param prefix of its name
 */
export async function makeTemporaryFolder(prefix: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix));
  await chmod(folder, 0o711);
  return folder;
}
