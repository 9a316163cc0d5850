import { textHash, uid } from '../../world/random.ts';
import type { Behaviours } from '../behaviours/behaviours.ts';
import type { Directory } from '../directory/directory.ts';
import type { User } from '../directory/user.ts';
import type { TenantFacts } from '../tenant-facts.ts';
import { noMailbox } from '../wire/refusals.ts';
import { buildMailbox } from './build-mailbox.ts';
import type { Mailbox } from './mailbox.ts';

/** The mailboxes of a tenant, each made when it is looked into for the first time. */
export class Mailboxes {
  private readonly byId = new Map<string, Mailbox>();
  private readonly facts: TenantFacts;
  private readonly directory: Directory;
  private readonly behaviours: Behaviours;

  constructor(facts: TenantFacts, directory: Directory, behaviours: Behaviours) {
    this.behaviours = behaviours;
    this.facts = facts;
    this.directory = directory;
  }

  /** @throws GraphError 404 for an unknown user or one without a mailbox */
  of(idOrName: string): Mailbox {
    const user = this.directory.user(idOrName);
    if (!user.mailbox) throw noMailbox();
    return this.open(user, false);
  }

  /** Ids the export of mailboxes knows a user's mailboxes by. */
  idsOf(user: User): { primary: string; archive: string | undefined } {
    if (!user.mailbox) throw noMailbox();
    return { primary: mailboxId(user, false), archive: user.mailbox.hasArchive ? mailboxId(user, true) : undefined };
  }

  /** Ids of all mailboxes, archives included. */
  allIds(): string[] {
    const users = this.directory.users.filter(({ mailbox }) => mailbox);
    return users.flatMap((user) => Object.values(this.idsOf(user)).filter((id) => id !== undefined));
  }

  /** By the id of the export of mailboxes. */
  find(id: string): Mailbox | undefined {
    const known = this.byId.get(id);
    if (known) return known;
    for (const user of this.directory.users) {
      if (!user.mailbox) continue;
      if (mailboxId(user, false) === id) return this.open(user, false);
      if (user.mailbox.hasArchive && mailboxId(user, true) === id) return this.open(user, true);
    }
    return undefined;
  }

  private open(user: User, isArchive: boolean): Mailbox {
    const id = mailboxId(user, isArchive);
    const known = this.byId.get(id);
    if (known) return known;
    const mailbox = buildMailbox(this.facts, user, id, isArchive);
    mailbox.namesBusyFolders = () => !this.behaviours.quietFolders;
    this.byId.set(id, mailbox);
    return mailbox;
  }
}

/** `MBX:` and two GUIDs, as at the vendor. */
function mailboxId(user: User, isArchive: boolean): string {
  return `MBX:${uid(textHash(user.id), isArchive ? 1 : 0, 531)}@${uid(textHash(user.id), 532)}`;
}
