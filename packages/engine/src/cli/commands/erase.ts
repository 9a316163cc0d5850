import type { RepositoryCatalog } from '../../catalog/catalog.ts';
import { erase as eraseSubject, planErasure } from '../../engine.ts';
import type { ErasureResult } from '../../erase/erase.ts';
import type { ErasureSubject } from '../../erase/erasure-subject.ts';
import type { ErasurePlan } from '../../erase/plan-erasure.ts';
import { unreadText } from '../../erase/unread-text.ts';
import { counted } from '../../model/counted.ts';
import { EngineError } from '../../model/engine-error.ts';
import type { Command } from '../command.ts';
import type { Given } from '../given.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import type { Output } from '../output.ts';
import { onlyObjectCalled } from '../pick.ts';
import { printEvents } from '../print-events.ts';
import { byteText } from '../text/byte-text.ts';

export const erase: Command = {
  words: '',
  options: {
    ...REPOSITORY_OPTIONS,
    object: { type: 'string', help: 'key, id, address or name of one mailbox, drive, site or team to erase' },
    user: { type: 'string', help: 'address or id of a user: erases mailbox, archive, OneDrive and chats' },
    organization: { type: 'string', help: 'id of a tenant: erases all that was backed up of it' },
    reason: { type: 'string', help: 'for the audit: why, such as the number of a request' },
    by: { type: 'string', help: 'for the audit: who asked for it (the account of this machine)' },
    confirm: {
      type: 'string',
      help: "'erase <what>', as the command says it without this option; nothing brings it back",
    },
    list: { type: 'boolean', help: 'lists what was erased, when, by whom and why; erases nothing' },
  },
  examples: [
    ['--user ada@contoso.example --reason "Request 17"', 'what would be erased, and how to confirm it'],
    [
      '--user ada@contoso.example --reason "Request 17" --confirm "erase 3 objects of ada@contoso.example"',
      'erases it from all restore points; the next prune deletes its contents',
    ],
    ['--list', 'the record of all erasures'],
  ],
  stopped: 'What was decided stays erased; the next erase or prune takes the rest out of the journals.',
  run: (context) => {
    const { given, output, signal } = context;
    if (given.has('list')) return withParts(context, ({ catalog }) => list(catalog, output), { looks: true });
    const subject = readSubject(given);
    const reason = given.required('reason');
    return withParts(context, async (stored) => {
      const { catalog } = stored;
      const what = subject.type === 'object' ? await named(catalog, subject) : { subject, name: subject.id };
      const plan = await planErasure(stored, what.subject, signal);
      const number = subject.type === 'object' ? '' : `${counted(plan.objects.length, 'object')} of `;
      const confirmation = `erase ${number}${what.name}`;
      if (given.text('confirm') === undefined) {
        sayPlan(plan, confirmation, output);
        return 'Success';
      }
      if (given.text('confirm') !== confirmation)
        throw new EngineError('bad-request', `Nothing was erased: to confirm it, give --confirm '${confirmation}'.`);
      const by = given.text('by');
      const order = { subject: what.subject, reason, ...(by === undefined ? {} : { by }) };
      const { onEvent } = printEvents(output, { lockWait: 'Waiting for its turn' });
      const result = await eraseSubject(stored, order, { signal, onEvent });
      sayResult(result, output);
      return result.commitsUnread + result.listsUnread > 0 ? 'Warning' : 'Success';
    });
  },
};

function readSubject(given: Given): ErasureSubject {
  const types = (['object', 'user', 'organization'] as const).filter((type) => given.text(type) !== undefined);
  const [type, ...others] = types;
  if (type === undefined || others.length > 0)
    throw new EngineError('bad-request', 'Say what to erase: one of --object, --user and --organization.');
  return { type, id: given.required(type) };
}

/** The object of a name that fits no other. */
async function named(catalog: RepositoryCatalog, { type, id }: ErasureSubject) {
  const object = await onlyObjectCalled(catalog, id);
  return { subject: { type, id: object.key }, name: object.address ?? object.name };
}

function sayPlan({ objects, items, bytes }: ErasurePlan, confirmation: string, output: Output): void {
  output.rows(objects.map(({ kind, name, address, key }) => ({ kind, name, address: address ?? '', key })));
  output.say(
    `${items.toLocaleString('en')} item versions (${byteText(bytes)}) of ${objects.length} objects would be erased from all restore points; nothing brings them back. A job that covers the objects backs them up again: exclude them first. To erase them, give --confirm '${confirmation}'.`,
    { objects: objects.map(({ key }) => key), items, bytes, confirmation },
  );
}

function sayResult(result: ErasureResult, output: Output): void {
  const { objects, items, bytes, packs, commitsRewritten, commitsLocked, packsLocked, lockedUntil } = result;
  output.say(
    `${objects.length} objects with ${items.toLocaleString('en')} item versions (${byteText(bytes)}) are erased from all restore points${commitsRewritten === 0 ? '' : `, and ${commitsRewritten.toLocaleString('en')} commits that named them were rewritten`}. Their contents are in ${packs} packs: the next prune deletes them there.`,
    { ...result },
  );
  if (lockedUntil !== null)
    output.say(
      `${commitsLocked} commits and ${packsLocked} packs are locked against deletion, the last until ${lockedUntil.toISOString()}: a prune after that deletes them.`,
      { commitsLocked, packsLocked, lockedUntil },
    );
  const unread = unreadText(result);
  if (unread !== null) output.problem(unread, { code: 'commits-unread', commitsUnread: result.commitsUnread });
  if (result.listsUnread > 0)
    output.problem(
      `Where the bytes of ${counted(result.listsUnread, 'large content')} are is not known, since the list that says so cannot be read. What of them is in packs that others use stays there.`,
      { code: 'lists-unread', listsUnread: result.listsUnread },
    );
}

async function list(catalog: RepositoryCatalog, output: Output) {
  const erasures = await catalog.listErasures();
  output.rows(
    erasures.map(({ at, by, reason, kind, key, items }) => ({ at, by, reason, kind, items, key })),
    'Nothing was erased.',
  );
  return 'Success' as const;
}
