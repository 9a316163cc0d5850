import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDatabaseError, explainSystemError, systemErrorCode } from './embedded-database-error.ts';

/** Reads the superuser's password from `<dataDir>/database-password`, readable by the program's account alone. */
export async function readPassword(dataDir: string): Promise<string> {
  const file = passwordFile(dataDir);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw explainSystemError(error, 'read', file);
    throw new EmbeddedDatabaseError(
      `${file} is missing, and without it the database beside it cannot be opened. Bring it back from a backup, ` +
        `or move ${join(dataDir, 'postgres')} away to begin with an empty database.`,
      { cause: error },
    );
  }
}

/** Makes a new password of 256 random bits and stores it; written aside and renamed, so never half a password. */
export async function makePassword(dataDir: string): Promise<string> {
  const file = passwordFile(dataDir);
  const password = randomBytes(32).toString('hex');
  try {
    await writeFile(`${file}.unfinished`, `${password}\n`, { mode: 0o600 });
    await chmod(`${file}.unfinished`, 0o600);
    await rename(`${file}.unfinished`, file);
  } catch (error) {
    throw explainSystemError(error, 'write', file);
  }
  return password;
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'database-password');
}
