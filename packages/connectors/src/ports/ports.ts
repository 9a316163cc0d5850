import type { BackupSource } from './backup-source.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Mail } from './mail.ts';
import type { SmsCodes } from './sms-codes.ts';
import type { TenantConsole } from './tenant-console.ts';
import type { UserDirectory } from './user-directory.ts';

/** Every port by its name, as connections store it. */
export interface Ports {
  'backup-source': BackupSource;
  'tenant-console': TenantConsole;
  mail: Mail;
  'user-directory': UserDirectory;
  'identity-provider': IdentityProvider;
  'sms-codes': SmsCodes;
}
