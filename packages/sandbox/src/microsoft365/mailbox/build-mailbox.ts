import { mix, pick, textHash } from '../../world/random.ts';
import { userIdOf } from '../directory/build-directory.ts';
import type { User } from '../directory/user.ts';
import { generateMessage } from '../mail/generated-message.ts';
import { folderNames } from '../mail/phrases.ts';
import type { TenantFacts, TenantSize } from '../tenant-facts.ts';
import type { Folder } from './folder.ts';
import { generatePlain } from './generated-plain.ts';
import type { Item, ItemContent } from './item.ts';
import { type Generate, Mailbox } from './mailbox.ts';

/** Messages in the inbox of a usual mailbox. */
const usualInbox = { empty: 0, small: 40, medium: 40, large: 500 } as const;
/** Larger inboxes, by number of the user: in a small tenant one of several pages, in a large one huge ones. */
const largerInboxes: Readonly<Partial<Record<TenantSize, Readonly<Record<number, number>>>>> = {
  small: { 2: 120 },
  large: { 1: 100_000, 2: 1_000_000 },
};

const wellKnownFolders = [
  ['inbox', 'Inbox', 1],
  ['drafts', 'Drafts', 0.05],
  ['sentitems', 'Sent Items', 0.4],
  ['deleteditems', 'Deleted Items', 0.1],
  ['junkemail', 'Junk Email', 0.05],
  ['archive', 'Archive', 0.3],
  ['outbox', 'Outbox', 0],
  ['conversationhistory', 'Conversation History', 0],
] as const;

/** A mailbox as its tenant's seed and size make it: the vendor's folders, folders of people, nested ones, hidden ones. */
export function buildMailbox(facts: TenantFacts, user: User, id: string, isArchive: boolean): Mailbox {
  const seed = textHash(id) ^ facts.seed;
  const mailbox = new Mailbox(id, user, facts, generator(facts, user, seed));
  const inbox = inboxSize(facts, user, isArchive);
  const top = {
    displayName: 'Top of Information Store',
    folderClass: 'IPF.Note',
    wellKnownName: 'msgfolderroot',
  } as const;
  const root = mailbox.addFolder({ ...top, parent: 0 });
  const note = { folderClass: 'IPF.Note' as const, parent: root.number };
  for (const [wellKnownName, displayName, share] of wellKnownFolders) {
    const count = Math.floor(Math.min(inbox, share < 1 ? 20_000 : inbox) * share);
    mailbox.addFolder({ ...note, wellKnownName, displayName }, count, unreadOf(wellKnownName, count));
  }
  addPersonalFolders(mailbox, root, seed, Math.min(inbox, 100));
  const hidden = { ...note, isHidden: true };
  mailbox.addFolder({ ...hidden, wellKnownName: 'recoverableitemsdeletions', displayName: 'Deletions' });
  mailbox.addFolder({ ...hidden, wellKnownName: 'recoverableitemspurges', displayName: 'Purges' });
  mailbox.addFolder({ ...hidden, displayName: 'Sync Issues', wellKnownName: 'syncissues' });
  if (!isArchive) addOtherFolders(mailbox, root, Math.min(inbox, 100));
  return mailbox;
}

function inboxSize(facts: TenantFacts, user: User, isArchive: boolean): number {
  const larger = Object.entries(largerInboxes[facts.size] ?? {});
  const found = larger.find(([number]) => userIdOf(facts.seed, Number(number)) === user.id);
  if (found && !isArchive) return found[1];
  return isArchive ? Math.floor(usualInbox[facts.size] / 2) : usualInbox[facts.size];
}

const unreadOf = (wellKnownName: string | undefined, count: number) =>
  wellKnownName === 'inbox' || wellKnownName === 'junkemail' ? Math.floor(count * 0.04) : 0;

function addPersonalFolders(mailbox: Mailbox, root: Folder, seed: number, inbox: number): void {
  if (inbox === 0) return;
  let parent = root;
  for (let number = 0; number < 6; number += 1) {
    const displayName = pick(folderNames, seed, number, 541);
    if (mailbox.childrenOf(parent).some((folder) => folder.displayName === displayName)) continue;
    const count = number === 2 ? 0 : Math.floor(inbox * 0.1) + (mix(seed, number, 542) % 5);
    const folder = mailbox.addFolder({ displayName, folderClass: 'IPF.Note', parent: parent.number }, count);
    // Some are within each other, so that there is depth too.
    parent = number % 3 === 2 ? root : folder;
  }
}

function addOtherFolders(mailbox: Mailbox, root: Folder, inbox: number): void {
  const parent = root.number;
  const share = (part: number) => Math.floor(inbox * part);
  const calendar = { folderClass: 'IPF.Appointment' as const, parent };
  mailbox.addFolder({ ...calendar, displayName: 'Calendar', wellKnownName: 'calendar' }, share(0.3));
  mailbox.addFolder({ ...calendar, displayName: 'Urlaub & Ferien' }, share(0.05));
  const contact = { folderClass: 'IPF.Contact' as const, parent };
  const contacts = mailbox.addFolder({ ...contact, displayName: 'Contacts', wellKnownName: 'contacts' }, share(0.2));
  mailbox.addFolder({ ...contact, displayName: 'Lieferanten', parent: contacts.number }, share(0.05));
  const task = { folderClass: 'IPF.Task' as const, parent };
  mailbox.addFolder({ ...task, displayName: 'Tasks', wellKnownName: 'tasks' }, share(0.1));
  mailbox.addFolder({ ...task, displayName: '買い物' }, share(0.03));
}

const twoYearsMs = 730 * 86_400_000;

function generator(facts: TenantFacts, user: User, seed: number): Generate {
  return (mailbox, number) => {
    const folder = mailbox.folders
      .values()
      .find(({ range }) => number >= range.first && number < range.first + range.count);
    if (!folder) return undefined;
    const { first, count } = folder.range;
    const index = number - first;
    const bornMs = Math.floor((facts.madeMs - twoYearsMs * (1 - (index + 1) / (count + 1))) / 1000) * 1000;
    const content = contentOf(facts, user, seed, folder, number, index, bornMs);
    const item: Item = {
      number,
      folder: folder.number,
      moves: 0,
      revision: 1,
      createdMs: bornMs,
      modifiedMs: bornMs,
      content,
    };
    return item;
  };
}

function contentOf(
  facts: TenantFacts,
  user: User,
  seed: number,
  folder: Folder,
  number: number,
  index: number,
  bornMs: number,
): ItemContent {
  const owner = { name: user.displayName, address: user.mail ?? user.userPrincipalName };
  if (folder.folderClass !== 'IPF.Note') return generatePlain(folder.folderClass, { seed, number, owner, bornMs });
  const { wellKnownName } = folder;
  return generateMessage({
    seed,
    number,
    owner,
    domain: facts.domain,
    receivedMs: bornMs,
    isDraft: wellKnownName === 'drafts',
    isSent: wellKnownName === 'sentitems',
    isRead: index < folder.range.count - unreadOf(wellKnownName, folder.range.count),
  });
}
