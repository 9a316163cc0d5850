import { type BackupResult, OBJECTS_AT_ONCE } from '../../backup/backup.ts';
import { backUp, indexTexts } from '../../engine.ts';
import { counted } from '../../model/counted.ts';
import { OBJECT_KINDS } from '../../model/protected-object.ts';
import type { Command, CommandEnd } from '../command.ts';
import type { Given } from '../given.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { openGivenSource, TENANT_OPTIONS } from '../open-source.ts';
import type { Output } from '../output.ts';
import { printEvents } from '../print-events.ts';
import { readSelection, SELECTION_OPTIONS } from '../source-options.ts';
import { byteText } from '../text/byte-text.ts';

export const backup: Command = {
  words: '',
  options: {
    ...REPOSITORY_OPTIONS,
    ...TENANT_OPTIONS,
    ...SELECTION_OPTIONS,
    'recoverable-items': {
      type: 'boolean',
      help: 'also mail removed from Deleted Items, while the server keeps it; it goes once no job of the mailbox asks for it',
    },
    'earlier-versions': {
      type: 'string',
      help: 'at most so many earlier versions of each file and list row (all); those of earlier backups stay',
    },
    job: { type: 'string', help: 'name under which restore points are listed (default)' },
    'keep-days': {
      type: 'string',
      help: "days that this job's restore points stay, counted back from its newest; 'prune' takes the older ones away. It applies until another backup of the job says otherwise; none ends it",
    },
    'objects-at-once': {
      type: 'string',
      help: `mailboxes, drives, sites and teams read side by side (${OBJECTS_AT_ONCE})`,
    },
  },
  examples: [
    ['', 'the whole organization'],
    [
      '--kinds mailbox,archive --include group:sales@contoso.example --exclude user:ada@contoso.example',
      'mailboxes of a group without one member',
    ],
  ],
  run: (context) => {
    const { given, output } = context;
    // What is wrong on the command line is reported before anything is opened.
    const job = { id: given.text('job') ?? 'default', selection: readSelection(given), ...readKeepDays(given) };
    const recoverableItems = given.has('recoverable-items');
    const earlierVersions = readEarlierVersions(given);
    const objectsAtOnce = given.count('objects-at-once', OBJECTS_AT_ONCE, 64, 1);
    return withParts(context, async (stored) => {
      const source = await openGivenSource(context, { recoverableItems, ...earlierVersions });
      const events = printEvents(output, { lockWait: 'Waiting for a prune' });
      const work = { signal: context.signal, onEvent: events.onEvent };
      try {
        if (given.someOf('kinds', OBJECT_KINDS).includes('archive')) reportArchiveLimits(output);
        if (earlierVersions.earlierVersions !== undefined) sayLimit(earlierVersions.earlierVersions, output);
        const result = await backUp(stored, source, { job: { ...job, name: job.id }, objectsAtOnce }, work);
        events.end();
        const end = reportResult(result, output);
        // The restore point is made by now, and stays whatever becomes of this: what is not indexed is the next run's work.
        await indexTexts(stored, work);
        return end;
      } finally {
        await source.close();
      }
    });
  },
};

const VERSIONS_MAX = 50_000;

function readKeepDays(given: Given): { keepDays?: number | null } {
  const text = given.text('keep-days');
  if (text === undefined) return {};
  return { keepDays: text === 'none' ? null : given.count('keep-days', 0, 36_500) };
}

function readEarlierVersions(given: Given): { earlierVersions?: number } {
  const name = 'earlier-versions';
  return given.text(name) === undefined ? {} : { earlierVersions: given.count(name, 0, VERSIONS_MAX) };
}

function sayLimit(earlierVersions: number, output: Output): void {
  const text = `Of each file and list row at most ${earlierVersions} earlier versions are read, the newest ones. Without --earlier-versions all are.`;
  output.say(text, { code: 'earlier-versions-limited', earlierVersions });
}

/** Limits that users should know before they need the backup. */
function reportArchiveLimits(output: Output): void {
  const text =
    'Archives: Microsoft 365 gives out their items in the form its import takes alone. They can be restored and saved as ZIP in that form, not as PST, MSG or EML, and only subject, sender and date are searched.';
  output.say(text, { code: 'archives-as-streams' });
}

function reportResult({ outcome, run, counts, objects }: BackupResult, output: Output): CommandEnd {
  const isNothing = objects.length === 0;
  const end = isNothing && outcome !== 'Stopped' ? 'Failed' : outcome;
  const read = `${counted(counts.itemsRead, 'item')} read (${byteText(counts.bytesRead)}; ${byteText(counts.bytesStored)} new in the repository)`;
  const lost = counts.itemsLost === 0 ? '' : `, ${counts.itemsLost.toLocaleString('en')} could not be read`;
  const point = isNothing ? 'Nothing was backed up' : `Restore point ${run}`;
  const text = `${SAID[end]}. ${point}: ${counts.objects - counts.objectsFailed} of ${counted(counts.objects, 'object')}, ${read}, ${counts.itemsRemoved.toLocaleString('en')} gone since the last run${lost}.`;
  output.say(text, { outcome: end, run, ...counts });
  return end;
}

const SAID: Readonly<Record<CommandEnd, string>> = {
  Success: 'Success',
  Warning: 'Partial: something is missing, see above',
  Failed: 'Failed',
  Stopped: 'Stopped: the next run goes on from here',
  Usage: 'Failed',
};
