import { join } from 'node:path';
import { planRestore, restore as restoreItems } from '../../engine.ts';
import { counted } from '../../model/counted.ts';
import { journalFile, journalFolder } from '../../restore/journal-files.ts';
import type { RestoreJournals } from '../../restore/restore-journals.ts';
import type { RestorePlan } from '../../restore/restore-plan.ts';
import type { RestoreResult } from '../../restore/restore-result.ts';
import type { Command, CommandContext, CommandEnd } from '../command.ts';
import { dataFolder } from '../data-folder.ts';
import { REPOSITORY_OPTIONS } from '../open-parts.ts';
import { openGivenConnection, TENANT_OPTIONS } from '../open-source.ts';
import type { Output } from '../output.ts';
import { ITEM_OPTIONS, pickItems } from '../pick-items.ts';
import { withPresentParts } from '../present-parts.ts';
import { printEvents } from '../print-events.ts';
import { restoreGivenAttachment } from '../restore-attachment.ts';
import { CONFLICTS, ONLY, readRestoreOptions, refuseIdle } from '../restore-options.ts';
import { byteText } from '../text/byte-text.ts';

export const restore: Command = {
  words: '',
  options: {
    ...REPOSITORY_OPTIONS,
    ...TENANT_OPTIONS,
    ...ITEM_OPTIONS,
    to: {
      type: 'string',
      help: 'id or address of the user, or id of the drive, site, team or group (plans), that it goes into (the original one)',
    },
    into: { type: 'string', help: 'a folder of its own, such as `Restored 2026-11-21` (where it was)' },
    conflict: { type: 'string', help: `what is there and differs: ${CONFLICTS.join(', ')} (skip)` },
    only: { type: 'string', help: `${ONLY.join(', ')} (everything)` },
    mark: { type: 'boolean', help: 'mail gets the category `Restored`, files ` (restored)` behind their names' },
    unread: { type: 'boolean', help: 'messages come back unread' },
    'without-deleted-items': { type: 'boolean', help: 'leaves out Deleted Items, and what was removed from there' },
    'without-drafts': { type: 'boolean', help: 'leaves out the folder Drafts' },
    version: { type: 'string', help: 'of one file (--item): the earlier version that it becomes, such as 3.0' },
    attachment: {
      type: 'string',
      help: 'of one message, event or task (--item): name of the attachment that goes into a mailbox alone, as a draft',
    },
    'last-version': { type: 'boolean', help: 'files without their earlier versions' },
    permissions: { type: 'boolean', help: 'shares files and folders again as they were; no notifications are sent' },
    verbose: { type: 'boolean', help: 'names each item that comes back without a part of it, instead of counts alone' },
    plan: { type: 'boolean', help: 'says what would be done, and does nothing' },
    journal: { type: 'string', help: 'file by which a restore that was broken off goes on (one in --data)' },
  },
  examples: [
    ['--object mailbox/ada@contoso.example --path Inbox/Offers --plan', 'what would be done; changes nothing'],
    ["--object mailbox/ada@contoso.example --into 'Restored 2026-11-21'", 'all of a mailbox, into a folder of its own'],
    ['--object mailbox/ada@contoso.example --to bob@contoso.example', 'into the mailbox of another person'],
    [
      '--object mailbox/ada@contoso.example --item AAMkAD… --attachment offer.pdf',
      "a draft with that attachment alone, in the folder 'Restored attachments'",
    ],
    ['--object drive/ada@contoso.example --at 2026-11-20 --conflict replace', 'files as they were that evening'],
  ],
  run: (context) =>
    withPresentParts(context, async (stored) => {
      const { given, output, signal } = context;
      const scope = await pickItems(stored.catalog, given);
      refuseIdle(given, scope.object);
      const to = given.text('to') === undefined ? undefined : given.required('to');
      const order = { scope, options: readRestoreOptions(given), ...(to === undefined ? {} : { to }) };
      const connection = await openGivenConnection(context);
      const work = { signal, onEvent: printEvents(output, { namesIncomplete: given.has('verbose') }).onEvent };
      if (given.isGiven('attachment')) return restoreGivenAttachment(stored, connection, scope, given, work, output);
      if (given.has('plan')) return reportPlan(await planRestore(stored, connection, order, work), output);
      return reportResult(
        await restoreItems(stored, connection, { ...order, journals: journalsOf(context) }, work),
        output,
      );
    }),
};

/** A file that was given, or one of each restore in the data folder. */
function journalsOf({ given, environment }: CommandContext): RestoreJournals {
  const path = given.text('journal');
  return path === undefined ? journalFolder(join(dataFolder(given, environment), 'restores')) : journalFile(path);
}

function reportPlan(plan: RestorePlan, output: Output): CommandEnd {
  const text = `Would make ${counted(plan.containers, 'folder')}, create ${counted(plan.created, 'item')}, put ${plan.copied} beside what is there, replace ${plan.replaced}, skip ${plan.skipped}; ${byteText(plan.bytes)}.`;
  output.say(text, { ...plan });
  return 'Success';
}

function reportResult(result: RestoreResult, output: Output): CommandEnd {
  for (const [reason, count] of Object.entries(result.skippedBecause))
    output.say(`${count} skipped: ${reason}`, { reason, count });
  for (const [loss, count] of Object.entries(result.losses))
    output.say(`${count} restored without ${loss}.`, { loss, count });
  if (result.stoppedBy !== null)
    output.problem(`${result.stoppedBy} Begin the same restore again to go on.`, { stoppedBy: result.stoppedBy });
  const { failures: _, losses: _losses, notBackedUp: lacking, ...counts } = result;
  const text = `${result.outcome}: ${result.restored} restored, ${result.replaced} replaced, ${result.skipped} skipped, ${result.failed} failed${result.notBegun > 0 ? `, ${result.notBegun} not begun` : ''}${lacking.length > 0 ? `, ${lacking.length} not in the backup` : ''}; ${byteText(result.bytes)} written.`;
  output.say(text, { ...counts, notBackedUp: lacking.length });
  return result.outcome;
}
