import type { BackupSource } from './backup-source.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Mail } from './mail.ts';

/** Every port by its name, as connections store it. */
export interface Ports {
  'backup-source': BackupSource;
  mail: Mail;
  'identity-provider': IdentityProvider;
}
