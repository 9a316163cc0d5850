import type { Pool } from '../../foundation/database.ts';
import type { SecretBox } from '../../foundation/secrets.ts';
import type { MicrosoftAddresses } from './microsoft-place.ts';

/** What organizations need beside a request's own services. */
export interface OrganizationServices {
  database: Pool;
  secrets: SecretBox;
  microsoft: MicrosoftAddresses;
}

/** An organization as tables name it. */
export interface OrganizationKey {
  providerId: number;
  id: string;
}
