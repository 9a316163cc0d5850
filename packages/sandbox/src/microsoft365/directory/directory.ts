import type { ChangeLog } from '../wire/change-log.ts';
import { resourceNotFound } from '../wire/refusals.ts';
import type { Group } from './group.ts';
import type { User } from './user.ts';

/** Users and groups of a tenant, and what is in the bin of the directory. */
export class Directory {
  private readonly usersById = new Map<string, User>();
  private readonly idByName = new Map<string, string>();
  private readonly groupsById = new Map<string, Group>();
  private readonly changes: ChangeLog;

  /** @param changes where every change is put on record; keys are ids */
  constructor(changes: ChangeLog) {
    this.changes = changes;
  }

  /** Users that are not deleted. */
  get users(): User[] {
    return [...this.usersById.values()].filter(({ deletedMs }) => deletedMs === null);
  }

  /** Groups that are not deleted. */
  get groups(): Group[] {
    return [...this.groupsById.values()].filter(({ deletedMs }) => deletedMs === null);
  }

  /** Users as they were at an instant, as far as it is known when they came and went. */
  usersAt(ms: number): User[] {
    return [...this.usersById.values()].filter((user) => wasThere(user, ms));
  }

  groupsAt(ms: number): Group[] {
    return [...this.groupsById.values()].filter((group) => wasThere(group, ms));
  }

  /** Takes a new or changed user. */
  putUser(user: User): void {
    this.usersById.set(user.id, user);
    this.idByName.set(user.userPrincipalName.toLowerCase(), user.id);
    this.changes.record(user.id, user.deletedMs !== null);
  }

  /** Takes a new or changed group. */
  putGroup(group: Group): void {
    this.groupsById.set(group.id, group);
    this.changes.record(group.id, group.deletedMs !== null);
  }

  /** By id or sign-in name. */
  findUser(idOrName: string): User | undefined {
    const user = this.usersById.get(idOrName) ?? this.usersById.get(this.idByName.get(idOrName.toLowerCase()) ?? '');
    return user?.deletedMs === null ? user : undefined;
  }

  findGroup(id: string): Group | undefined {
    const group = this.groupsById.get(id);
    return group?.deletedMs === null ? group : undefined;
  }

  /** @throws GraphError 404 in the words of the directory */
  user(idOrName: string): User {
    const user = this.findUser(idOrName);
    if (!user) throw resourceNotFound(idOrName);
    return user;
  }

  /** @throws GraphError 404 in the words of the directory */
  group(id: string): Group {
    const group = this.findGroup(id);
    if (!group) throw resourceNotFound(id);
    return group;
  }

  /** Whether the id is or was that of a user. */
  knowsUser(id: string): boolean {
    return this.usersById.has(id);
  }

  /** Whether the id is or was that of a group. */
  knowsGroup(id: string): boolean {
    return this.groupsById.has(id);
  }

  /** Groups a user or group is a direct member of. */
  groupsOf(memberId: string): Group[] {
    return this.groups.filter(({ memberIds }) => memberIds.includes(memberId));
  }

  /** Whether something deleted with this id can still be restored: what delta reports as `changed`. */
  isInBin(id: string): boolean {
    return (this.usersById.get(id) ?? this.groupsById.get(id))?.deletedMs != null;
  }
}

const wasThere = ({ createdMs, deletedMs }: Pick<User, 'createdMs' | 'deletedMs'>, ms: number) =>
  createdMs <= ms && (deletedMs === null || deletedMs > ms);
