import { EngineError, loadSetUp } from '@keepwatch/engine/engine';
import { Refusal } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { releaseCode, type SignInToken, signInWith, type UsedCode } from './device-codes.ts';
import { interactivePlace } from './microsoft-place.ts';
import type { OrganizationServices } from './organization-services.ts';
import { refusing } from './refused-by-microsoft.ts';

/** How long making or changing applications may be waited for: what was begun is finished, also when the browser is gone. */
const LIMIT_MS = 180_000;

type SetUp = Awaited<ReturnType<typeof loadSetUp>>;
export type Administrator = Awaited<ReturnType<SetUp['openAsAdministrator']>>;

/** What an administrator who signed in by a code lets do. */
export interface AdministratorWork {
  administrator: Administrator;
  setUp: SetUp;
  signal: AbortSignal;
}

/** A sign-in that is being used. */
export interface AdministratorSession {
  administrator: Administrator;
  /** Does something in the tenant; nothing of the portal's database. What Microsoft refuses is thrown as a `Refusal`. */
  perform<T>(work: (parts: AdministratorWork) => Promise<T>): Promise<T>;
}

/**
 * Uses a sign-in by a code. Where that does not work out, the code can be used again.
 * @throws Refusal as `signInWith`; 409 `ADMINISTRATOR_REQUIRED`, `OTHER_TENANT`
 */
export async function asAdministrator<T>(
  services: OrganizationServices,
  context: SignedInContext,
  used: UsedCode,
  use: (session: AdministratorSession) => Promise<T>,
): Promise<T> {
  const token = await signInWith(services, context, used);
  try {
    return await use(await openSession(services, context, used, token));
  } catch (error) {
    await releaseCode(context, used);
    throw error;
  }
}

async function openSession(
  { microsoft }: OrganizationServices,
  context: SignedInContext,
  used: UsedCode,
  token: SignInToken,
): Promise<AdministratorSession> {
  const [setUp, place] = await Promise.all([loadSetUp(), interactivePlace(microsoft, used.region)]);
  const signIn = { clientId: microsoft.signInClientId, token };
  const outside = <R>(work: (signal: AbortSignal) => Promise<R>) =>
    context.outside(() => refusing(used.path, () => work(AbortSignal.timeout(LIMIT_MS)).catch(explain)));
  const administrator = await outside((signal) => setUp.openAsAdministrator(place, signIn, signal));
  requireTenant(administrator, used);
  return { administrator, perform: (work) => outside((signal) => work({ administrator, setUp, signal })) };
}

function requireTenant({ tenantId, displayName }: Administrator, { organization }: UsedCode): void {
  if (organization === null || organization.tenantId === tenantId) return;
  throw new Refusal(
    409,
    'OTHER_TENANT',
    `The sign-in was to the tenant ${displayName}, which is another one. Get a new code, and sign in as an administrator of this organization.`,
  );
}

/** A refusal of Graph is here one of the person, not of an application. */
function explain(error: unknown): never {
  if (!(error instanceof EngineError) || error.code !== 'consent-missing') throw error;
  throw new Refusal(
    409,
    'ADMINISTRATOR_REQUIRED',
    'Microsoft does not let this account make applications and consent to their permissions. Get a new code, and sign in as a Global Administrator or a Privileged Role Administrator.',
    { cause: error },
  );
}
