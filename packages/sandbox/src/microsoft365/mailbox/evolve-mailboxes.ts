import { mix, pick, uid, unit } from '../../world/random.ts';
import { generateMessage } from '../mail/generated-message.ts';
import { folderNames } from '../mail/phrases.ts';
import type { Tenant } from '../tenant.ts';
import { replyAutomatically } from './automatic-replies.ts';
import type { Folder } from './folder.ts';
import { generatePlain } from './generated-plain.ts';
import type { Item } from './item.ts';
import type { Mailbox } from './mailbox.ts';

/** One thing that happens in one mailbox: mail arrives, is read, moved, deleted; folders appear and get other names. */
export function evolveMailboxes(tenant: Tenant, step: number): void {
  const users = tenant.directory.users.filter(({ mailbox }) => mailbox);
  const user = users[mix(tenant.seed, step, 801) % users.length];
  if (!user) return;
  const mailbox = tenant.mailboxes.of(user.id);
  const chance = unit(tenant.seed, step, 802);
  if (chance < 0.35) arrive(tenant, mailbox, step);
  else if (chance < 0.45) note(tenant, mailbox, step);
  else if (chance < 0.62) read(tenant, mailbox, step);
  else if (chance < 0.77) move(tenant, mailbox, step);
  else if (chance < 0.92) remove(tenant, mailbox, step);
  else renameOrAdd(tenant, mailbox, step);
}

const ownerOf = ({ user }: Mailbox) => ({ name: user.displayName, address: user.mail ?? user.userPrincipalName });

function arrive(tenant: Tenant, mailbox: Mailbox, step: number): void {
  const seed = mix(tenant.seed, 803);
  const owner = ownerOf(mailbox);
  const born = { seed, number: 1_000_000_000 + step, owner, domain: tenant.domain, receivedMs: tenant.nowMs() };
  const message = generateMessage({ ...born, isDraft: false, isSent: false, isRead: false });
  mailbox.createItem(mailbox.wellKnown('inbox'), message);
  replyAutomatically(tenant, mailbox, message.from?.address ?? '');
}

/** An event, a contact or a task. */
function note(tenant: Tenant, mailbox: Mailbox, step: number): void {
  const [name, folderClass] = pick(
    [
      ['calendar', 'IPF.Appointment'],
      ['contacts', 'IPF.Contact'],
      ['tasks', 'IPF.Task'],
    ] as const,
    tenant.seed,
    step,
    804,
  );
  const from = { seed: tenant.seed, number: 1_000_000_000 + step, owner: ownerOf(mailbox), bornMs: tenant.nowMs() };
  mailbox.createItem(mailbox.wellKnown(name), generatePlain(folderClass, from));
}

function read(tenant: Tenant, mailbox: Mailbox, step: number): void {
  const item = someMessage(tenant, mailbox, step);
  if (item?.content.kind === 'message') {
    mailbox.changeItem(item, {
      ...item.content,
      isRead: !item.content.isRead,
      categories: [uid(step, 805).slice(0, 4)],
    });
  }
}

function move(tenant: Tenant, mailbox: Mailbox, step: number): void {
  const item = someMessage(tenant, mailbox, step);
  const to = pickFolder(tenant, mailbox, step, 806);
  if (item && to && item.folder !== to.number) mailbox.moveItem(item, to);
}

/** To Deleted Items or for good. */
function remove(tenant: Tenant, mailbox: Mailbox, step: number): void {
  const item = someMessage(tenant, mailbox, step);
  const bin = mailbox.wellKnown('deleteditems');
  if (!item) return;
  if (item.folder === bin.number || unit(tenant.seed, step, 807) < 0.3) mailbox.removeItem(item);
  else mailbox.moveItem(item, bin);
}

function renameOrAdd(tenant: Tenant, mailbox: Mailbox, step: number): void {
  const own = [...mailbox.folders.values()].filter(({ wellKnownName }) => wellKnownName === undefined);
  const folder = own[mix(tenant.seed, step, 808) % Math.max(1, own.length)];
  const displayName = `${pick(folderNames, tenant.seed, step, 809)} ${step}`;
  if (folder && unit(tenant.seed, step, 810) < 0.6) {
    folder.displayName = displayName;
    mailbox.touchFolder(folder);
  } else {
    mailbox.addFolder({ displayName, folderClass: 'IPF.Note', parent: mailbox.wellKnown('inbox').number });
  }
}

function someMessage(tenant: Tenant, mailbox: Mailbox, step: number): Item | undefined {
  const folder = pickFolder(tenant, mailbox, step, 811);
  if (!folder || folder.itemCount === 0) return undefined;
  return mailbox.findItem(folder.numberAt(mix(tenant.seed, step, 812) % folder.itemCount));
}

function pickFolder(tenant: Tenant, mailbox: Mailbox, step: number, salt: number): Folder | undefined {
  const folders = [...mailbox.folders.values()].filter(
    ({ folderClass, isHidden, wellKnownName }) =>
      folderClass === 'IPF.Note' && !isHidden && wellKnownName !== 'msgfolderroot',
  );
  return folders[mix(tenant.seed, step, salt) % folders.length];
}
