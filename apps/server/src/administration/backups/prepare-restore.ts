import { join } from 'node:path';
import { verifyBackupFile } from '@keepwatch/embedded-database/backup/backup-file';
import { checkVersions } from '@keepwatch/embedded-database/backup/backup-header';
import { EmbeddedDatabaseError } from '@keepwatch/embedded-database/embedded-database-error';
import { findPostgresBinaries } from '@keepwatch/embedded-database/postgres-binaries';
import { VERSION } from '../../branding/brands.ts';
import { Refusal } from '../../foundation/errors.ts';

const PROJECT = join(import.meta.dirname, '../../../../..');

/**
 * Reads a whole backup and gives the commands with which it replaces the database. They are given by a person: the program that answers works with
 * the very database that goes, and could not say how it went (decision 65).
 * @throws Refusal for a file that was cut off or changed, or that this version cannot restore
 */
export async function prepareRestore(file: string, dataDir: string): Promise<{ label: string; command: string }[]> {
  try {
    const { header } = await verifyBackupFile(file);
    checkVersions(header, file, { program: VERSION, postgres: findPostgresBinaries().major });
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError) throw new Refusal(409, 'DAMAGED', error.message, { cause: error });
    throw error;
  }
  return [
    {
      label: 'Restore',
      command: `cd ${quoted(PROJECT)} && DATA_DIR=${quoted(dataDir)} npm run restore -- ${quoted(file)} --replace`,
    },
    { label: 'Start', command: `cd ${quoted(PROJECT)} && DATA_DIR=${quoted(dataDir)} npm run serve` },
  ];
}

/** For a shell: nothing in it is read as anything but text. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
