import { EngineError } from '../../model/engine-error.ts';
import type { SiteTarget } from '../../source/site-target.ts';
import type { RestoreItem } from '../restore-place.ts';

const PREFIX = 'attachments/';
const LOST = 'its attachments';

/** What the application may not do is a loss of each row, and no failure. */
const REFUSED: readonly EngineError['code'][] = ['consent-missing', 'credentials-refused', 'certificate-expired'];

/** Files that are attached to rows. */
export class RowFiles {
  private readonly target: SiteTarget;
  private readonly signal: AbortSignal;
  private isRefused = false;

  constructor(target: SiteTarget, signal: AbortSignal) {
    this.target = target;
    this.signal = signal;
  }

  /** Whether a row without any attachment lacks some that could be attached. */
  areMissing({ contents }: RestoreItem): boolean {
    return this.takes && contents.some(({ name }) => name.startsWith(PREFIX));
  }

  /** Attaches to a row that is there what it has not. @returns what could not be attached */
  async add(listId: string, row: string, item: RestoreItem): Promise<string[]> {
    if (!this.areMissing(item)) return this.lossesOf(item);
    try {
      const there = new Set(await this.target.attachedTo(listId, row, this.signal));
      return await this.attach(listId, row, item, there);
    } catch (error) {
      return this.refused(error);
    }
  }

  /** @param there names of files that are attached already, and stay as they are */
  async attach(listId: string, row: string, item: RestoreItem, there: ReadonlySet<string>): Promise<string[]> {
    if (!this.areMissing(item)) return this.lossesOf(item);
    try {
      for (const file of item.contents) {
        const name = file.name.slice(PREFIX.length);
        if (!file.name.startsWith(PREFIX) || there.has(name)) continue;
        await this.target.attach(listId, row, name, file, this.signal);
      }
      return [];
    } catch (error) {
      return this.refused(error);
    }
  }

  private get takes(): boolean {
    return this.target.attaches && !this.isRefused;
  }

  private lossesOf({ version }: RestoreItem): string[] {
    return version.details.hasAttachments === true ? [LOST] : [];
  }

  /** @throws what is another error */
  private refused(error: unknown): string[] {
    if (!(error instanceof EngineError) || !REFUSED.includes(error.code)) throw error;
    this.isRefused = true;
    return [LOST];
  }
}
