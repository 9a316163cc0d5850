import type { Connection, Pool } from '../../foundation/database.ts';
import type { Actor } from '../../foundation/http/context.ts';
import type { SecretBox } from '../../foundation/secrets.ts';
import type { MicrosoftAddresses } from './microsoft-place.ts';

/** What organizations need beside a request's own services. */
export interface OrganizationServices {
  database: Pool;
  secrets: SecretBox;
  microsoft: MicrosoftAddresses;
}

/** Says of which organizations a user sees the names; `null`: of all that the scope has. Restore operators see those of their roles. */
export interface NameServices {
  organizationsSeenBy(connection: Connection, actor: Actor): Promise<ReadonlySet<string> | null>;
}

/** An organization as tables name it. */
export interface OrganizationKey {
  providerId: number;
  id: string;
}
