import { randomBytes } from 'node:crypto';
import { storeChatSecret } from '../../../branding/chat-secrets.ts';
import { sealSettings } from '../../../connections/connection-settings.ts';
import { insertConnection } from '../../../connections/connections.ts';
import { type Pool, transaction } from '../../../foundation/database.ts';
import { newId, type SecretBox } from '../../../foundation/secrets.ts';
import { insert, update } from '../../../foundation/table-writes.ts';
import { idempotencyKeys } from '../../../foundation/tables.ts';
import { beginAuthenticator } from '../../../identity/second-factors/authenticators.ts';
import { storeApplications } from '../../../microsoft365/organizations/applications.ts';
import { sealRepositorySecrets } from '../../../microsoft365/repositories/repository-secrets.ts';
import { m365DeviceCodes, m365Repositories } from '../../../microsoft365/tables.ts';
import { secretContext, storeSignIn } from '../../../restore/sign-in/sign-ins.ts';
import { buildM365Repository, buildOwnOrganization } from '../../../testing/microsoft365-builders.ts';
import { TEST_NOW } from '../../../testing/test-now.ts';

const FIELDS = [{ name: 'password', label: 'Password', hint: '', kind: 'secret', isRequired: true }] as const;

/** A connection with a password that is sealed with the key in force. Gives its id. */
export async function buildSealedConnection(database: Pool, box: SecretBox): Promise<string> {
  const key = { providerId: 1, id: newId() };
  const sealed = sealSettings(box, key, FIELDS, { password: 'a password' });
  const connection = { ...key, port: 'mail', kind: 'smtp', name: 'Mail', isEnabled: false, ...sealed };
  await insertConnection(database, connection, TEST_NOW);
  return key.id;
}

/** One value in each column in which something is sealed, with the key in force. */
export async function buildSealedValues(database: Pool, box: SecretBox, userId: string): Promise<void> {
  await buildSealedConnection(database, box);
  await storeChatSecret(database, box, 1, 'the secret of a chat');
  await transaction(database, (connection) =>
    beginAuthenticator(connection, box, { providerId: 1, id: userId }, TEST_NOW),
  );
  await buildOfMicrosoft(database, box, userId);
  const place = { providerId: 1, userId, keyHash: randomBytes(32) };
  const reply = box.seal('{}', `reply/1/${userId}/${place.keyHash.toString('hex')}`);
  await insert(database, idempotencyKeys, { ...place, askedHash: randomBytes(32), reply, at: TEST_NOW });
}

async function buildOfMicrosoft(database: Pool, box: SecretBox, userId: string): Promise<void> {
  const organization = await buildOwnOrganization(database);
  const { id: organizationId, companyId, providerId } = organization;
  const shown = { applicationId: newId(), name: 'Keeper', certificateThumbprint: null, certificateExpiresAt: null };
  const application = { ...shown, purpose: 'backup' as const, proof: { secret: 'of an application' } };
  await transaction(database, (connection) =>
    storeApplications(connection, box, organization, [application], TEST_NOW),
  );
  const id = await buildM365Repository(database, organization);
  const secrets = sealRepositorySecrets(box, { providerId, id }, { password: 'of a repository' });
  await update(database, m365Repositories, { secrets }, { providerId, id });
  const waiting = { intervalMs: 5_000, nextAskAt: TEST_NOW, expiresAt: TEST_NOW };
  const signIn = { providerId, userId, organizationId };
  const token = box.seal('a token', secretContext(signIn));
  await storeSignIn(database, { ...signIn, companyId, userCode: 'CODE', secret: token, ...waiting });
  const code = box.seal('{}', `m365-device-code 1 ${companyId} CODE`);
  const deviceCode = { providerId, companyId, userCode: 'CODE', userId, region: 'Worldwide' as const, secret: code };
  await insert(database, m365DeviceCodes, { ...deviceCode, ...waiting });
}
