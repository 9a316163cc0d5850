import type { BackupSource } from './backup-source.ts';
import type { Mail } from './mail.ts';
import type { SmsCodes } from './sms-codes.ts';

/** Every port by its name, as connections store it. */
export interface Ports {
  'backup-source': BackupSource;
  mail: Mail;
  'sms-codes': SmsCodes;
}
