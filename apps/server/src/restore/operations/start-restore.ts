import type { RestoreOperation, RestoreOptions } from '@keepwatch/contract/restore/explorer';
import { changeWithin } from '../../audit/change.ts';
import { transaction } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { Actor, ChangingContext } from '../../foundation/http/context.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert } from '../../foundation/table-writes.ts';
import { refusing } from '../engine-refusal.ts';
import type { RestoreServices } from '../restore-services.ts';
import type { Identified } from '../roles/coverage.ts';
import type { OpenedSession } from '../sessions/opened-session.ts';
import { type FoundObject, storedScope } from '../sessions/session-objects.ts';
import { type Proof, requireProof } from '../sign-in/sign-ins.ts';
import { restoreOperations } from '../tables.ts';
import { type OperationRow, shownOperation } from './operations.ts';
import type { RestorePart } from './restore-order.ts';
import { runRestoreJob } from './run-restore.job.ts';
import { targetsInReach } from './targets-in-reach.ts';

/** Some of an object that was found in the session, and where it is to go. */
export interface PartToRestore {
  found: FoundObject;
  items: readonly string[] | null;
  to: string | null;
  /** What `to` is, where a restore operator orders it. */
  into?: Identified;
}

export interface RestoreToStart {
  /** For people: what, and where to. */
  name: string;
  target: string;
  parts: readonly PartToRestore[];
  options: RestoreOptions;
  planOnly: boolean;
}

/** The proof at Microsoft is of the person who gave it: neither who acts as that user nor a program of that user writes with it. */
function requireOwnHand({ impersonator, key, username }: Actor): void {
  if (impersonator === null && key === null) return;
  const who = `${username} has proved at Microsoft to be allowed to restore.`;
  throw new Refusal(
    403,
    'OWN_SESSION_REQUIRED',
    `${who} Sign in as yourself, and prove it with a device code of your own.`,
  );
}

/** Accepts a restore, which a worker does, or the plan of one. @throws 403 where the user has not proved that they may */
export async function startRestore(
  services: RestoreServices,
  context: ChangingContext,
  opened: OpenedSession,
  given: RestoreToStart,
): Promise<RestoreOperation> {
  const { session, organization } = opened;
  const parts = await context.outside(() => refusing(() => targetsInReach(opened, given.parts)));
  const restore = { ...given, parts };
  if (!restore.planOnly) {
    requireOwnHand(context.actor);
    requireOwn(opened, await requireProof(context.database, session, context.now()), restore.parts);
    await refusing(() => services.connectOrganization(organization, 'restore'));
  }
  const operation = operationOf(context, opened, restore);
  await transaction(context.database, async (connection) => {
    await insert(connection, restoreOperations, operation);
    await context.queue.send(connection, runRestoreJob, {
      providerId: operation.providerId,
      operationId: operation.id,
      ...(restore.planOnly ? {} : { target: targetKeyOf(restore.parts) }),
    });
    const { options, planOnly, name, target } = restore;
    const objects = restore.parts.map(({ found, items }) => ({
      name: found.object.name,
      items: items?.length ?? 'all',
    }));
    const after = { organization: organization.name, name, target, planOnly, objects, options };
    await changeWithin(connection, context, { kind: 'restore', id: operation.id }, { result: null, after });
  });
  return shownOperation(operation);
}

/**
 * Who is no administrator restores what is their own, to where it was. A restore operator is trusted by the administrator who gave the role:
 * the sign-in shows that it is a person of the organization, and the reach what it may restore.
 */
function requireOwn({ reach }: OpenedSession, { role, accountId }: Proof, parts: readonly PartToRestore[]): void {
  if (reach.isLimited) return;
  const isOwn = ({ found: { object }, to }: PartToRestore) =>
    to === null && (object.id === accountId || object.owner === `user/${accountId}`);
  if (role === 'administrator' || parts.every(isOwn)) return;
  const message =
    'The account you signed in with at Microsoft is no administrator of this organization: it can restore its own mailbox and OneDrive, to where they were.';
  throw new Refusal(403, 'NOT_THE_OWNER', message);
}

function operationOf(
  { actor, now }: ChangingContext,
  opened: OpenedSession,
  { name, target, parts, options, planOnly }: RestoreToStart,
): OperationRow {
  const { session, organization } = opened;
  return {
    providerId: session.providerId,
    id: newId(),
    companyId: session.companyId,
    organizationId: session.organizationId,
    organizationName: organization.name,
    sessionId: session.id,
    userId: actor.userId,
    username: actor.username,
    name,
    target,
    isPlan: planOnly,
    restoreOrder: {
      parts: parts.map((part) => storedPart(opened, part)),
      options,
    },
    state: 'Queued',
    createdAt: now().toISOString(),
    cancelAskedAt: null,
    startedAt: null,
    endedAt: null,
    progress: {},
    message: null,
    claims: 0,
  };
}

/** What is written into: restores into the same take turns, and a worker does others meanwhile. */
function targetKeyOf([first]: readonly PartToRestore[]): string {
  return `${first?.found.object.organizationId} ${first?.to?.toLowerCase() ?? first?.found.object.id}`;
}

function storedPart(opened: OpenedSession, { found, items, to, into }: PartToRestore): RestorePart {
  const part = { scope: storedScope(opened, found, items), to };
  return into === undefined ? part : { ...part, into };
}
