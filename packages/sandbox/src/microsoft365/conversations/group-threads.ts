import { GraphError } from '../wire/graph-error.ts';

/** Who writes to a group: its members, and people outside who know its address. */
export interface Writer {
  name: string;
  address: string;
}

export interface GroupPost {
  id: string;
  from: Writer;
  html: string;
  hasAttachments: boolean;
  createdMs: number;
  modifiedMs: number;
  /** Counts the changes. */
  change: number;
}

/** What people wrote to a Microsoft 365 group under one topic, oldest first. */
export interface GroupThread {
  id: string;
  conversationId: string;
  topic: string;
  posts: GroupPost[];
}

/** The threads of the groups of a tenant; those of a group are made when it is first looked at. */
export class GroupThreads {
  private readonly byGroup = new Map<string, GroupThread[]>();
  private readonly fill: (groupId: string) => GroupThread[];

  constructor(fill: (groupId: string) => GroupThread[]) {
    this.fill = fill;
  }

  of(groupId: string): GroupThread[] {
    const known = this.byGroup.get(groupId) ?? this.fill(groupId);
    this.byGroup.set(groupId, known);
    return known;
  }

  /** @throws GraphError 404 */
  thread(groupId: string, id: string): GroupThread {
    const found = this.of(groupId).find((thread) => thread.id === id);
    if (!found) throw notFound();
    return found;
  }

  /** @throws GraphError 404 */
  post(groupId: string, threadId: string, id: string): GroupPost {
    const found = this.thread(groupId, threadId).posts.find((post) => post.id === id);
    if (!found) throw notFound();
    return found;
  }
}

const notFound = () => new GraphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.');
