import type { Connectors } from '@keepwatch/connectors/base/registry';
import type { Ports } from '@keepwatch/connectors/ports/ports';
import type { Log } from '../foundation/log.ts';
import type { SecretBox } from '../foundation/secrets.ts';

/** Services needed to open a connection. */
export interface ConnectionServices {
  secrets: SecretBox;
  connectors: Connectors<Ports>;
  allowPrivateAddresses: boolean;
  log: Log;
  now(): Date;
}
