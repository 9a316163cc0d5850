import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createUser } from '../directory/users.ts';
import { execute } from '../foundation/database.ts';
import { hashOfPassword } from '../foundation/secrets.ts';
import { readSettings } from '../foundation/settings.ts';
import { startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import { ensureDemonstration } from './demonstration.ts';
import { refusePublicDemonstration } from './public-demonstration.ts';

const IN_PUBLIC = { HOST: '0.0.0.0' };

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());
beforeEach(() => execute(portal.database, sql`delete from users`));

const refuse = (environment: Record<string, string>) =>
  refusePublicDemonstration(portal.database, readSettings({ KEEPWATCH_MODE: 'serve', ...environment }));

it('refuses accounts of the demonstration on a public address, in one line that says what to do', async () => {
  await ensureDemonstration(portal.database);
  await expect(refuse(IN_PUBLIC)).rejects.toThrow(
    /^The database has accounts of the demonstration[^\n]+HOST is "0.0.0.0"[^\n]+DATA_DIR[^\n]+DEMONSTRATION_IN_PUBLIC=true\.$/,
  );
  await expect(refuse({ PUBLIC_URL: 'https://backup.example.com' })).rejects.toThrow(/backup\.example\.com/);
});

it('lets them be on an address of this machine, and where it is allowed', async () => {
  await ensureDemonstration(portal.database);
  await expect(refuse({})).resolves.toBeUndefined();
  await expect(refuse({ ...IN_PUBLIC, DEMONSTRATION_IN_PUBLIC: 'true' })).resolves.toBeUndefined();
});

it('lets a portal of its own be public, also with an operator named as in the demonstration', async () => {
  const passwordHash = await hashOfPassword('a password of their own');
  const operator = { username: 'operator', name: 'Operator', email: 'operator@example.test' };
  await createUser(portal.database, { providerId: 1, ...operator, passwordHash, roles: ['operator'] });
  await expect(refuse(IN_PUBLIC)).resolves.toBeUndefined();
});
