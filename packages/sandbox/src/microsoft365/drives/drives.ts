import { createHmac } from 'node:crypto';
import { ContentStore } from './content/content-store.ts';
import type { Drive } from './drive.ts';
import type { People } from './identity-set.ts';
import { type DriveItem, itemNotFound } from './items/drive-item.ts';
import { ResourceBudget } from './resource-budget.ts';
import { sealTicket } from './ticket.ts';
import { UploadSessions } from './upload-sessions.ts';

/** How long a download URL is good for: the vendor promises no more than a short time. */
const downloadLifetimeMs = 3_600_000;

/** A copy in progress, as its monitor reports it. */
export interface CopyOperation {
  /** The new item's id; `undefined` when the copy failed. */
  resourceId: string | undefined;
  error: { code: string; message: string } | undefined;
  /** Polls of its monitor; at the first one it is in progress. */
  polls: number;
}

/** All drives of a tenant, and the operations in progress on them. */
export class Drives {
  readonly contents: ContentStore;
  readonly uploads: UploadSessions;
  readonly copies = new Map<string, CopyOperation>();
  readonly people: People;
  /** Without limits until they are set. */
  readonly budget = new ResourceBudget();
  private readonly tenantId: string;
  private readonly byId = new Map<string, Drive>();
  private readonly ofUsers = new Map<string, Drive>();
  private readonly secret: string;

  /** @param memoryLimit bytes of written files that are stored in memory */
  constructor(tenantId: string, people: People, memoryLimit?: number) {
    this.tenantId = tenantId;
    this.people = people;
    this.contents = new ContentStore(memoryLimit);
    this.uploads = new UploadSessions(this.contents);
    this.secret = createHmac('sha256', 'sandbox').update(tenantId).digest('base64url');
  }

  add(drive: Drive, userId?: string): void {
    this.byId.set(drive.facts.id, drive);
    if (userId !== undefined) this.ofUsers.set(userId, drive);
  }

  delete(drive: Drive): void {
    this.byId.delete(drive.facts.id);
  }

  find(id: string): Drive | undefined {
    return this.byId.get(id);
  }

  /** @throws GraphError 404 */
  drive(id: string): Drive {
    const drive = this.byId.get(id);
    if (!drive) throw itemNotFound();
    return drive;
  }

  /** A user's OneDrive by the user's id or name; `undefined` when it was never set up. */
  ofUser(key: string): Drive | undefined {
    const user = this.people.user(key);
    return user && this.ofUsers.get(user.id);
  }

  all(): Iterable<Drive> {
    return this.byId.values();
  }

  get ticketSecret(): string {
    return this.secret;
  }

  /** A URL without need of a token; good for an hour. */
  downloadUrl(origin: string, drive: Drive, item: DriveItem, nowMs: number, versionId?: string): string {
    const ticket = { driveId: drive.facts.id, itemId: item.id, expiresMs: nowMs + downloadLifetimeMs };
    const sealed = sealTicket({ ...ticket, ...(versionId !== undefined && { versionId }) }, this.secret);
    return `${origin}/${this.tenantId}/_layouts/15/download.aspx?UniqueId=${item.uniqueId}&tempauth=${sealed}`;
  }

  close(): void {
    this.contents.close();
  }
}
