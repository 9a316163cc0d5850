/** `npm run restore -- FILE [--replace]`: makes the embedded database from a backup. */
import type { BackupHeader } from '@keepwatch/embedded-database/backup/backup-header';
import { restoreBackup } from '@keepwatch/embedded-database/backup/restore-backup';
import { VERSION } from '../branding/brands.ts';
import { findSecretSource } from '../foundation/installation-secret.ts';
import { keyList, secretBox } from '../foundation/secrets.ts';
import type { Settings } from '../foundation/settings.ts';
import { readFileCommand, runFileCommand } from './file-command.ts';

const USAGE = 'npm run restore -- FILE [--replace]';

await runFileCommand(async () => {
  const { file, options, settings, log } = readFileCommand(process.argv.slice(2), process.env, {
    usage: USAGE,
    options: ['replace'],
  });
  const dataDir = settings.DATA_DIR;
  const replace = options.has('replace');
  const { header, replaced } = await restoreBackup({ file, dataDir, program: VERSION, replace, log });
  return [
    `The backup of ${header.createdAt} (version ${header.program}) is restored to ${dataDir}. Start the program with npm run serve.`,
    ...(replaced === undefined
      ? []
      : [`What was there before is in ${replaced}; remove it when it is no longer needed.`]),
    header.secret === undefined
      ? `The key of the stored secrets was not in the backup: set KEEPWATCH_SECRET, or put the file "secret" into ${dataDir}.${await neededKeys(header, settings)}`
      : `The key of the stored secrets was in the backup and is now in ${dataDir}/secret.`,
  ];
});

/** Which keys a start needs, and whether this machine has them. */
async function neededKeys({ keys = [] }: BackupHeader, settings: Settings): Promise<string> {
  if (keys.length === 0) return '';
  const needed = ` The key that it needs is ${keys.join(' and ')}`;
  const source = await findSecretSource(settings);
  if (source === null) return `${needed}.`;
  const own = keyList(secretBox(source.read).keys());
  return keys.every((key) => own.includes(key))
    ? `${needed}, which this machine has.`
    : `${needed}; this machine has ${own.join(' and ')}.`;
}
