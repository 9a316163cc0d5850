import type { Region } from '@keepwatch/contract/microsoft365/organizations';
import { loadSetUp } from '@keepwatch/engine/engine';
import { sql } from 'drizzle-orm';
import { type Connection, execute, row } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { sealedColumn } from '../../foundation/sealed-column.ts';
import { insert, type NewRow, remove, update } from '../../foundation/table-writes.ts';
import { m365DeviceCodes } from '../tables.ts';
import { refusedField } from './entered.ts';
import { interactivePlace } from './microsoft-place.ts';
import type { OrganizationServices } from './organization-services.ts';
import { refusing } from './refused-by-microsoft.ts';

/** What a code is asked for. */
export interface CodePurpose {
  companyId: string;
  region: Region;
  /** Of an organization that is connected: whose tenant it must be. */
  organization: { id: string; tenantId: string } | null;
}

/** What is sealed of a code: what Microsoft is asked with, then the token. */
interface CodeSecret {
  deviceCode: string;
  token: { value: string; expiresMs: number } | null;
}

export type SignInToken = NonNullable<CodeSecret['token']>;

/** After a sign-in a request has so long to use it before another may. */
const USE_MS = 4 * 60_000;
const SLOWER_MS = 5_000;

/** Requests a code at Microsoft and remembers it for who asks: any process can go on with it. */
export async function requestCode(services: OrganizationServices, context: SignedInContext, purpose: CodePurpose) {
  const { beginSignIn } = await loadSetUp();
  const { microsoft } = services;
  const place = { ...(await interactivePlace(microsoft, purpose.region)), tenantId: purpose.organization?.tenantId };
  const given = await context.outside((gone) =>
    refusing('body', () => beginSignIn(place, microsoft.signInClientId, gone)),
  );
  const now = context.now();
  const key = keyOf(context, purpose.companyId, given.userCode);
  const lifetimeMs = given.expiresAt.getTime() - Date.now();
  // Codes that ended are of no use to a user, and nothing else removes them.
  await execute(context.database, sql`delete from m365_device_codes where expires_at < ${now}`);
  await storeCode(context.database, {
    ...key,
    userId: context.actor.userId,
    organizationId: purpose.organization?.id ?? null,
    region: purpose.region,
    secret: seal(services, key, { deviceCode: given.deviceCode, token: null }),
    intervalMs: given.intervalMs,
    nextAskAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  });
  const { userCode, verificationUrl, message } = given;
  return {
    userCode,
    verificationUrl,
    message,
    expiresIn: Math.round(lifetimeMs / 1_000),
    interval: Math.ceil(given.intervalMs / 1_000),
  };
}

/** Letters that are given out again are a new code: the earlier one is over where it came from. */
async function storeCode(connection: Connection, code: NewRow<typeof m365DeviceCodes>): Promise<void> {
  await insert(
    connection,
    m365DeviceCodes,
    code,
    sql`on conflict (provider_id, company_id, user_code) do update set user_id = excluded.user_id, organization_id = excluded.organization_id,
      region = excluded.region, secret = excluded.secret, interval_ms = excluded.interval_ms, next_ask_at = excluded.next_ask_at,
      expires_at = excluded.expires_at`,
  );
}

/** Where a code was given in the form, and what for. */
export interface UsedCode extends CodePurpose {
  userCode: string;
  path: string;
}

/**
 * The token of a sign-in by a code. Of requests that come together one gets it, and the others are answered as before the sign-in.
 * @throws Refusal 409 `DEVICE_CODE_PENDING`, `DEVICE_CODE_EXPIRED`, `DEVICE_CODE_DECLINED`; 422 for a code that was not given out for this
 */
export async function signInWith(
  services: OrganizationServices,
  context: SignedInContext,
  used: UsedCode,
): Promise<SignInToken> {
  const key = keyOf(context, used.companyId, used.userCode);
  const claimed = await claim(context, key, used);
  const secret: CodeSecret = JSON.parse(services.secrets.open(claimed.secret, contextOf(key)));
  if (secret.token !== null) return secret.token;
  const { lookAtSignIn } = await loadSetUp();
  const code = { clientId: services.microsoft.signInClientId, deviceCode: secret.deviceCode };
  const place = {
    ...(await interactivePlace(services.microsoft, claimed.region)),
    tenantId: used.organization?.tenantId,
  };
  const look = await context.outside((gone) => refusing(used.path, () => lookAtSignIn(place, code, gone)));
  switch (look.state) {
    case 'signed-in':
      await update(
        context.database,
        m365DeviceCodes,
        tokenOf(services, context, key, { ...secret, token: look.token }),
        key,
      );
      return look.token;
    case 'declined':
    case 'expired':
      await forgetCode(context, used);
      throw look.state === 'declined' ? declined() : expired();
    case 'pending':
    case 'too-often': {
      const intervalMs = claimed.intervalMs + (look.state === 'too-often' ? SLOWER_MS : 0);
      const nextAskAt = new Date(context.now().getTime() + intervalMs);
      await update(context.database, m365DeviceCodes, { intervalMs, nextAskAt }, key);
      throw pending(intervalMs);
    }
  }
}

/** A sign-in that was used. */
export function forgetCode(
  context: SignedInContext,
  { companyId, userCode }: Pick<UsedCode, 'companyId' | 'userCode'>,
) {
  return remove(context.database, m365DeviceCodes, keyOf(context, companyId, userCode));
}

/** Lets a sign-in be used again, at once: what it was used for did not work. */
export function releaseCode(
  context: SignedInContext,
  { companyId, userCode }: Pick<UsedCode, 'companyId' | 'userCode'>,
) {
  return update(context.database, m365DeviceCodes, { nextAskAt: context.now() }, keyOf(context, companyId, userCode));
}

interface ClaimedCode {
  secret: Buffer;
  region: Region;
  intervalMs: number;
}

/** A code is for who requested it, and for what. It is asked for once in its interval, whichever process asks. */
async function claim(context: SignedInContext, key: ReturnType<typeof keyOf>, used: UsedCode): Promise<ClaimedCode> {
  const now = context.now();
  const known = await row<{ expiresAt: string; nextAskAt: string }>(
    context.database,
    sql`select d.expires_at as "expiresAt", d.next_ask_at as "nextAskAt" from m365_device_codes d where ${isKey(key)}
      and d.user_id = ${context.actor.userId} and d.region = ${used.region}
      and d.organization_id is not distinct from ${used.organization?.id ?? null}::uuid`,
  );
  if (known === null)
    throw refusedField(`${used.path}.userCode`, 'is no code that was given out for this. Get a new code.');
  if (Date.parse(known.expiresAt) <= now.getTime()) throw expired();
  const claimed = await row<ClaimedCode>(
    context.database,
    sql`update m365_device_codes d set next_ask_at = ${new Date(now.getTime() + USE_MS)} where ${isKey(key)} and d.next_ask_at <= ${now}
      returning d.secret, d.region, d.interval_ms as "intervalMs"`,
  );
  if (claimed === null) throw pending(Date.parse(known.nextAskAt) - now.getTime());
  return claimed;
}

const isKey = ({ providerId, companyId, userCode }: ReturnType<typeof keyOf>) =>
  sql`d.provider_id = ${providerId} and d.company_id = ${companyId} and d.user_code = ${userCode}`;

const keyOf = ({ scope }: SignedInContext, companyId: string, userCode: string) => ({
  providerId: scope.providerId,
  companyId,
  userCode: userCode.trim().toUpperCase(),
});

/** It is valid as long as the token, from when it was given out. */
function tokenOf(
  services: OrganizationServices,
  context: SignedInContext,
  key: ReturnType<typeof keyOf>,
  secret: CodeSecret,
) {
  const lifetimeMs = (secret.token?.expiresMs ?? 0) - Date.now();
  return { secret: seal(services, key, secret), expiresAt: new Date(context.now().getTime() + lifetimeMs) };
}

const seal = ({ secrets }: OrganizationServices, key: ReturnType<typeof keyOf>, secret: CodeSecret) =>
  secrets.seal(JSON.stringify(secret), contextOf(key));

const contextOf = ({ providerId, companyId, userCode }: ReturnType<typeof keyOf>) =>
  `m365-device-code ${providerId} ${companyId} ${userCode}`;

export const SEALED_DEVICE_CODES = sealedColumn(
  m365DeviceCodes,
  'secret',
  ['providerId', 'companyId', 'userCode'],
  contextOf,
);

function pending(waitMs: number): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new Refusal(
    409,
    'DEVICE_CODE_PENDING',
    'The code was not entered yet. Enter it at Microsoft, and sign in there.',
    { retryAfterSeconds },
  );
}

const expired = () =>
  new Refusal(409, 'DEVICE_CODE_EXPIRED', 'The code has expired. Get a new one, and enter it within 15 minutes.');

const declined = () =>
  new Refusal(
    409,
    'DEVICE_CODE_DECLINED',
    'The sign-in was declined at Microsoft. Get a new code, and let an administrator of the tenant sign in.',
  );
