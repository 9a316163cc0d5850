import type { BackupSource } from './backup-source.ts';

/** Every port by its name, as connections store it. */
export interface Ports {
  'backup-source': BackupSource;
}
