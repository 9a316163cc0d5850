import { homedir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../../model/engine-error.ts';
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
import { openGraphTarget } from '../../source/graph/target/graph-target.ts';
import type { Target } from '../../source/target.ts';
import type { Command, CommandContext, CommandEnd, Given } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { openGivenConnection, TENANT_OPTIONS } from '../open-source.ts';
import { byteText, type Output } from '../output.ts';
import { ITEM_OPTIONS, pickItems } from '../pick-items.ts';

const CONFLICTS = ['skip', 'replace', 'keep-both'] as const;
const ONLY = ['everything', 'missing', 'changed'] as const;

export const restore: Command = {
  name: 'restore',
  words: '',
  summary: 'Puts items back where they were, or elsewhere. Begun again after it was broken off, it goes on.',
  options: {
    ...REPOSITORY_OPTIONS,
    ...TENANT_OPTIONS,
    ...ITEM_OPTIONS,
    to: { type: 'string', help: 'id or address of the user whose mailbox it goes into (the original one)' },
    into: { type: 'string', help: 'a folder of its own, such as `Restored 2026-11-21` (where it was)' },
    conflict: { type: 'string', help: `what is there and differs: ${CONFLICTS.join(', ')} (skip)` },
    only: { type: 'string', help: `${ONLY.join(', ')} (everything)` },
    mark: { type: 'boolean', help: 'gives what is restored the category `Restored`' },
    unread: { type: 'boolean', help: 'messages come back unread' },
    'without-deleted-items': { type: 'boolean', help: 'leaves out the folder Deleted Items' },
    'without-drafts': { type: 'boolean', help: 'leaves out the folder Drafts' },
    plan: { type: 'boolean', help: 'says what would be done, and does nothing' },
    journal: { type: 'string', help: 'file by which a restore that was broken off goes on (one in --data)' },
  },
  run: (context) =>
    withParts(context, async ({ repository, catalog }) => {
      const { given, output, signal } = context;
      const scope = await pickItems(catalog, given);
      const target = openGraphTarget(await openGivenConnection(context));
      try {
        const request = requestOf(target, scope, given);
        const parts: RestoreParts = {
          repository,
          catalog,
          signal,
          journalPath:
            given.text('journal') ??
            join(dataFolder(context), 'restores', `${restoreFingerprint({ repository }, request)}.jsonl`),
          onProgress: ({ items, bytes, totalItems }) =>
            output.progress({
              what: `Restoring ${scope.object.name}`,
              done: items,
              total: totalItems,
              unit: 'items',
              bytes,
            }),
        };
        return given.has('plan')
          ? await tellPlan(parts, request, output)
          : tellResult(await restoreItems(parts, request), output);
      } finally {
        await target.close();
      }
    }),
};

function requestOf(target: Target, scope: RestoreRequest['scope'], given: Given): RestoreRequest {
  const { object } = scope;
  if (object.kind !== 'mailbox' && object.kind !== 'archive')
    throw new EngineError(
      'bad-request',
      `'${object.name}' is a ${object.kind}: this version restores mailboxes. Export it instead.`,
    );
  const options = readOptions(given);
  const to = given.text('to') ?? object.id;
  return {
    scope,
    options,
    to: `mailbox/${target.organizationId}/${to}`,
    place: (paths, signal) => new MailboxPlace(target.mailbox(to), paths, options.into, signal),
  };
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
