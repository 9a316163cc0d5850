import type { ItemScope } from '../browse/item-scope.ts';
import { listParts, restoreAttachment, type Stored, type Work } from '../engine.ts';
import type { ItemPart } from '../export/item-parts.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemVersion } from '../model/items.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import type { CommandEnd } from './command.ts';
import type { Given } from './given.ts';
import type { Output } from './output.ts';

/** Of a restore of items alone. */
const IDLE = ['conflict', 'only', 'mark', 'unread', 'plan', 'journal', 'permissions', 'version'] as const;

/** Puts one attachment of one item into a mailbox: what is chosen by its name, or by its id where several have that name. */
export async function restoreGivenAttachment(
  stored: Stored,
  connection: GraphConnection,
  scope: ItemScope,
  given: Given,
  work: Work,
  output: Output,
): Promise<CommandEnd> {
  const idle = IDLE.find((option) => given.isGiven(option));
  if (idle !== undefined)
    throw new EngineError('bad-request', `--${idle} does nothing with --attachment. Leave it out.`);
  const item = await onlyItem(stored, scope);
  const part = await attachmentCalled(stored, item, given.required('attachment'), work);
  const [to, into] = [given.text('to'), given.text('into')];
  const where = { ...(to === undefined ? {} : { to }), ...(into === undefined ? {} : { into }) };
  const result = await restoreAttachment(
    stored,
    connection,
    { object: scope.object, item, part: part.id, ...where },
    work,
  );
  const what = result.outcome === 'restored' ? 'is in' : 'was already in';
  output.say(`The message '${result.subject}' ${what} the folder '${result.folder}' of ${result.mailbox}.`, {
    ...result,
  });
  return 'Success';
}

async function onlyItem({ catalog }: Stored, { object, revision, items }: ItemScope): Promise<ItemVersion> {
  const [id, ...others] = items ?? [];
  const item = id === undefined || others.length > 0 ? null : await catalog.item(object.key, revision, id);
  if (item !== null) return item;
  throw new EngineError('bad-request', 'Say with --item which item the attachment is of; browse --ids lists them.');
}

async function attachmentCalled(stored: Stored, item: ItemVersion, name: string, { signal }: Work): Promise<ItemPart> {
  const all = (await listParts(stored, item, signal)).filter(({ what }) => what === 'attachment');
  const [found, ...others] = all.filter((part) => part.id === name || part.name === name);
  if (found !== undefined && others.length === 0) return found;
  const there = all.map((part) => `${part.id} '${part.name}'`).join(', ');
  throw new EngineError(
    found === undefined ? 'not-found' : 'bad-request',
    found === undefined
      ? `'${item.name}' has no attachment '${name}'. It has: ${there || 'none'}.`
      : `'${item.name}' has several attachments '${name}'. Choose one by its id: ${there}.`,
  );
}
