/** `npm run backup -- FILE [--with-secret]`: the whole embedded database in one file, also while the program runs. */
import { takeBackup } from '@keepwatch/embedded-database/backup/take-backup';
import { VERSION } from '../branding/brands.ts';
import { findSecretSource } from '../foundation/installation-secret.ts';
import { keyList, type Secrets, secretBox } from '../foundation/secrets.ts';
import { readFileCommand, runFileCommand } from './file-command.ts';

const USAGE = 'npm run backup -- FILE [--with-secret]';

await runFileCommand(async () => {
  const { file, options, settings, log } = readFileCommand(process.argv.slice(2), process.env, {
    usage: USAGE,
    options: ['with-secret'],
  });
  const withSecret = options.has('with-secret');
  const source = await findSecretSource(settings);
  const keys = source === null ? [] : keyList(secretBox(source.read).keys());
  const request = { dataDir: settings.DATA_DIR, file, program: VERSION, log, keys };
  const bytes = await takeBackup({ ...request, ...(withSecret && source !== null ? brought(source.read()) : {}) });
  return [
    `The database in ${settings.DATA_DIR} is backed up to ${file} (${(bytes / 1e6).toFixed(1)} MB).`,
    withSecret && source !== null
      ? 'The key of the stored secrets is in it: everyone who has the file can read them.'
      : `The key of the stored secrets (KEEPWATCH_SECRET, or the file "secret" in the data folder) is not in it: store it elsewhere.${keys.length === 0 ? '' : ` Its id is ${keys.join(' and ')}.`}`,
  ];
});

function brought({ current, previous }: Secrets) {
  return { secret: current, ...(previous === null ? {} : { previousSecret: previous }) };
}
