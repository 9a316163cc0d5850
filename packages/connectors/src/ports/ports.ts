import type { BackupSource } from './backup-source.ts';
import type { Mail } from './mail.ts';
import type { UserDirectory } from './user-directory.ts';

/** Every port by its name, as connections store it. */
export interface Ports {
  'backup-source': BackupSource;
  mail: Mail;
  'user-directory': UserDirectory;
}
