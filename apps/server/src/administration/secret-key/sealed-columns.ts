import { SEALED_CHAT_SECRETS } from '../../branding/chat-secrets.ts';
import { SEALED_SETTINGS } from '../../connections/connection-settings.ts';
import { SEALED_REPLIES } from '../../foundation/http/idempotency.ts';
import type { SealedColumn } from '../../foundation/sealed-column.ts';
import { SEALED_AUTHENTICATORS } from '../../identity/second-factors/authenticators.ts';
import { SEALED_APPLICATIONS } from '../../microsoft365/organizations/applications.ts';
import { SEALED_DEVICE_CODES } from '../../microsoft365/organizations/device-codes.ts';
import { SEALED_REPOSITORY_SECRETS } from '../../microsoft365/repositories/repository-secrets.ts';
import { SEALED_SIGN_INS } from '../../restore/sign-in/sign-ins.ts';

/** Everything that is sealed with the key of the stored secrets. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_SETTINGS,
  SEALED_REPOSITORY_SECRETS,
  SEALED_APPLICATIONS,
  SEALED_CHAT_SECRETS,
  SEALED_AUTHENTICATORS,
  SEALED_SIGN_INS,
  SEALED_DEVICE_CODES,
  SEALED_REPLIES,
];
