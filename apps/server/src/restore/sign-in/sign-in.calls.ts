import { confirmRestoreCode, requestRestoreCode } from '@keepwatch/contract/restore/sessions';
import { change } from '../../audit/change.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { refusing } from '../engine-refusal.ts';
import type { RestoreOrganization } from '../restore-organization.ts';
import type { RestoreServices } from '../restore-services.ts';
import { requireReach } from '../roles/reach.ts';
import type { SignedInPerson } from './sign-in-platform.ts';
import {
  claimSignIn,
  confirmSignIn,
  delaySignIn,
  findSignIn,
  type SignInKey,
  type SignInRow,
  secretContext,
  shownProof,
  storeSignIn,
} from './sign-ins.ts';

/** The device code with which a user proves that they may restore. */
export function signInCalls(services: RestoreServices): Route[] {
  return [begin(services), confirm(services)];
}

function begin(services: RestoreServices): Route {
  return answer(requestRestoreCode, async (context, { body }) => {
    const { organization } = await refusing(() => requireReach(services, context, body));
    const begun = await context.outside((gone) => refusing(() => services.signIn.begin(organization, gone)));
    const key = keyOf(context.actor.userId, organization);
    const { userCode, verificationUrl, message, expiresAt, intervalMs } = begun;
    const secret = services.secrets.seal(begun.secret, secretContext(key));
    const now = context.now();
    await storeSignIn(context.database, {
      ...key,
      companyId: organization.companyId,
      userCode,
      secret,
      intervalMs,
      nextAskAt: now,
      expiresAt,
    });
    const expiresIn = Math.max(0, Math.round((expiresAt.getTime() - now.getTime()) / 1_000));
    return { data: { userCode, verificationUrl, message, expiresIn, interval: Math.ceil(intervalMs / 1_000) } };
  });
}

function keyOf(userId: string, { providerId, id }: RestoreOrganization): SignInKey {
  return { providerId, userId, organizationId: id };
}

function confirm(services: RestoreServices): Route {
  return answer(confirmRestoreCode, async (context, { body }) => {
    const { organization } = await refusing(() => requireReach(services, context, body));
    const key = keyOf(context.actor.userId, organization);
    const signIn = await findSignIn(context.database, key);
    if (signIn === null || signIn.userCode !== body.userCode) throw notFound('device code');
    const now = context.now();
    if (Date.parse(signIn.expiresAt) <= now.getTime()) throw expired();
    const { account, accountId, role, expiresAt } = signIn;
    if (account !== null && accountId !== null && role !== null)
      return { data: shownProof({ account, accountId, role, expiresAt }) };
    if (Date.parse(signIn.nextAskAt) > now.getTime()) throw pending(signIn);
    return { data: await redeemed(services, context, organization, signIn) };
  });
}

/** So long one request may wait for the answer before another one asks: a code is good for one answer. */
const USE_MS = 60_000;

/** Asks Microsoft, at most as often as it allows. */
async function redeemed(
  services: RestoreServices,
  context: ChangingContext,
  organization: RestoreOrganization,
  signIn: SignInRow,
) {
  const now = context.now();
  if (!(await claimSignIn(context.database, signIn, { now, until: new Date(now.getTime() + USE_MS) })))
    throw pending(signIn);
  const secret = services.secrets.open(signIn.secret, secretContext(signIn));
  const person = await context
    .outside((gone) => refusing(() => services.signIn.redeem(organization, secret, gone)))
    .catch(async (error: unknown) => {
      await askAgainLater(context, signIn);
      throw error;
    });
  if (person === 'pending') {
    await askAgainLater(context, signIn);
    throw pending(signIn);
  }
  const proof = proofOf(person);
  const token = services.secrets.seal(person.token, secretContext(signIn));
  await change(context, { kind: 'organization', id: organization.id }, async (connection) => {
    await confirmSignIn(connection, signIn, { ...proof, secret: token });
    return { result: null, after: { account: proof.account, role: proof.role } };
  });
  return shownProof(proof);
}

const askAgainLater = (context: ChangingContext, signIn: SignInRow) =>
  delaySignIn(context.database, signIn, new Date(context.now().getTime() + signIn.intervalMs));

function proofOf({ account, accountId, isAdministrator, expiresAt }: SignedInPerson) {
  const role = isAdministrator ? ('administrator' as const) : ('owner' as const);
  return { account, accountId, role, expiresAt: expiresAt.toISOString() };
}

function pending({ intervalMs }: SignInRow): Refusal {
  const message = 'The code was not entered yet. Enter it at Microsoft; the sign-in then continues automatically.';
  return new Refusal(409, 'DEVICE_CODE_PENDING', message, { retryAfterSeconds: Math.ceil(intervalMs / 1_000) });
}

const expired = () => new Refusal(409, 'DEVICE_CODE_EXPIRED', 'The code is too old. Ask for a new one.');
