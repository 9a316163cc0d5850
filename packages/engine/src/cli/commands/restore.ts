import { homedir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../../model/engine-error.ts';
import { DrivePlace } from '../../restore/drive-place.ts';
import { MailboxPlace } from '../../restore/mailbox-place.ts';
import {
  type RestoreParts,
  type RestoreRequest,
  restoreFingerprint,
  restore as restoreItems,
} from '../../restore/restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from '../../restore/restore-options.ts';
import { planRestore } from '../../restore/restore-plan.ts';
import type { RestoreResult } from '../../restore/restore-result.ts';
import type { GraphConnection } from '../../source/graph/connection.ts';
import { textOf } from '../../source/graph/json.ts';
import { path } from '../../source/graph/mailbox/mailbox-paths.ts';
import { openGraphTarget } from '../../source/graph/target/graph-target.ts';
import { openGraphDrive } from '../../source/graph/write-drives/graph-drive.ts';
import { byteText } from '../byte-text.ts';
import type { Command, CommandContext, CommandEnd } from '../command.ts';
import type { Given } from '../given.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { openGivenConnection, TENANT_OPTIONS } from '../open-source.ts';
import type { Output } from '../output.ts';
import { ITEM_OPTIONS, pickItems } from '../pick-items.ts';

const CONFLICTS = ['skip', 'replace', 'keep-both'] as const;
const ONLY = ['everything', 'missing', 'changed'] as const;

export const restore: Command = {
  words: '',
  options: {
    ...REPOSITORY_OPTIONS,
    ...TENANT_OPTIONS,
    ...ITEM_OPTIONS,
    to: { type: 'string', help: 'id or address of the user, or id of the drive, that it goes into (the original one)' },
    into: { type: 'string', help: 'a folder of its own, such as `Restored 2026-11-21` (where it was)' },
    conflict: { type: 'string', help: `what is there and differs: ${CONFLICTS.join(', ')} (skip)` },
    only: { type: 'string', help: `${ONLY.join(', ')} (everything)` },
    mark: { type: 'boolean', help: 'mail gets the category `Restored`, files ` (restored)` behind their names' },
    unread: { type: 'boolean', help: 'messages come back unread' },
    'without-deleted-items': { type: 'boolean', help: 'leaves out the folder Deleted Items' },
    'without-drafts': { type: 'boolean', help: 'leaves out the folder Drafts' },
    'last-version': { type: 'boolean', help: 'files without their earlier versions' },
    permissions: { type: 'boolean', help: 'shares files and folders again as they were; nobody is told of it' },
    plan: { type: 'boolean', help: 'says what would be done, and does nothing' },
    journal: { type: 'string', help: 'file by which a restore that was broken off goes on (one in --data)' },
  },
  run: (context) =>
    withParts(context, async ({ repository, catalog }) => {
      const { given, output, signal } = context;
      const scope = await pickItems(catalog, given);
      const request = await requestOf(await openGivenConnection(context), scope, context);
      const fingerprint = restoreFingerprint({ repository }, request);
      const parts: RestoreParts = {
        repository,
        catalog,
        signal,
        journalPath: given.text('journal') ?? join(dataFolder(context), 'restores', `${fingerprint}.jsonl`),
        onProgress: ({ items, bytes, totalItems }) =>
          output.progress({
            what: `Restoring ${scope.object.name}`,
            done: items,
            total: totalItems,
            unit: 'items',
            bytes,
          }),
      };
      if (given.has('plan')) return tellPlan(parts, request, output);
      return tellResult(await restoreItems(parts, request), output);
    }),
};

async function requestOf(
  connection: GraphConnection,
  scope: RestoreRequest['scope'],
  { given, signal }: CommandContext,
): Promise<RestoreRequest> {
  const { object } = scope;
  const options = readOptions(given);
  const to = given.text('to') ?? object.id;
  if (object.kind === 'mailbox' || object.kind === 'archive') {
    const target = openGraphTarget(connection).mailbox(to);
    return {
      scope,
      options,
      to: `mailbox/${connection.tenantId}/${to}`,
      place: (paths, until) => new MailboxPlace(target, paths, options.into, until),
    };
  }
  if (object.kind === 'drive') {
    const drive = await driveIdOf(connection, to, signal);
    return {
      scope,
      options,
      to: `drive/${connection.tenantId}/${drive}`,
      place: (paths, until) => new DrivePlace(openGraphDrive(connection, drive), paths, options, until),
    };
  }
  throw new EngineError(
    'bad-request',
    `'${object.name}' is a ${object.kind}: this version restores mailboxes and drives. Its files are drives of their own.`,
  );
}

/** A drive by its id, or that of a user. */
async function driveIdOf(connection: GraphConnection, to: string, signal: AbortSignal): Promise<string> {
  if (!to.includes('@')) return to;
  const drive = await connection.ask({ path: path`/users/${to}/drive`, signal });
  return textOf(drive['id']) ?? to;
}

function readOptions(given: Given): RestoreOptions {
  return {
    conflict: given.oneOf('conflict', CONFLICTS, RESTORE_OPTIONS.conflict),
    only: given.oneOf('only', ONLY, RESTORE_OPTIONS.only),
    into: given.text('into') ?? null,
    mark: given.has('mark'),
    markUnread: given.has('unread'),
    deletedItems: !given.has('without-deleted-items'),
    drafts: !given.has('without-drafts'),
    versions: given.has('last-version') ? 'last' : 'all',
    permissions: given.has('permissions'),
  };
}

async function tellPlan(parts: RestoreParts, request: RestoreRequest, output: Output): Promise<CommandEnd> {
  const plan = await planRestore(parts, request);
  const text = `Would make ${plan.containers} folders, create ${plan.created} items, put ${plan.copied} beside what is there, replace ${plan.replaced}, skip ${plan.skipped}; ${byteText(plan.bytes)}.`;
  output.say(text, { ...plan });
  return 'Success';
}

function tellResult(result: RestoreResult, output: Output): CommandEnd {
  for (const { id, kind, name, path, reason } of result.failures)
    output.problem(`Failed: ${[...path, name].join(' / ')}. ${reason}`, { id, kind, name, path, reason });
  for (const [reason, count] of Object.entries(result.skippedBecause))
    output.say(`${count} skipped: ${reason}`, { reason, count });
  for (const [loss, count] of Object.entries(result.losses))
    output.say(`${count} restored without ${loss}.`, { loss, count });
  if (result.stoppedBy !== null)
    output.problem(`${result.stoppedBy} Begin the same restore again to go on.`, { stoppedBy: result.stoppedBy });
  const { failures: _, losses: _losses, ...counts } = result;
  const text = `${result.outcome}: ${result.restored} restored, ${result.replaced} replaced, ${result.skipped} skipped, ${result.failed} failed; ${byteText(result.bytes)} written.`;
  output.say(text, counts);
  return result.outcome;
}

function dataFolder({ given, environment }: CommandContext): string {
  return given.text('data') ?? environment.KEEPWATCH_ENGINE_DATA ?? join(homedir(), '.keepwatch-engine');
}
