import type { BigIntStats } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../model/engine-error.ts';
import { isCode, storeError } from './folder-errors.ts';
import { syncFolder } from './synced-file.ts';

/**
 * The folder of a store, and whether it is still the one that was opened. A disk that was unmounted leaves its mount point behind: an
 * empty folder, in which nothing may be found missing and nothing may be written.
 */
export class StoreRoot {
  readonly path: string;
  private readonly opened: BigIntStats;
  /** Folders that this program made or saw, so that each is made and synced once. */
  private readonly made = new Set<string>();

  private constructor(path: string, opened: BigIntStats) {
    this.path = path;
    this.opened = opened;
  }

  /** Makes the folder where it is not there. */
  static async open(path: string): Promise<StoreRoot> {
    try {
      const first = await mkdir(path, { recursive: true, mode: 0o700 });
      // All new entries have to survive a loss of power, the uppermost one included.
      if (first !== undefined)
        for (let at = path; at.length >= dirname(first).length; at = dirname(at)) {
          await syncFolder(at);
          if (at === dirname(at)) break;
        }
      return new StoreRoot(path, await stat(path, { bigint: true }));
    } catch (error) {
      throw isCode(error, 'EEXIST') ? notAFolder(path, error) : storeError(error, path);
    }
  }

  /** @throws `store-unreachable` when the folder is gone, or another one is in its place */
  async check(): Promise<void> {
    const found = await stat(this.path, { bigint: true }).catch((error: unknown) => {
      if (isCode(error, 'ENOENT', 'ENOTDIR')) return null;
      throw storeError(error, this.path);
    });
    if (found !== null && found.ino === this.opened.ino && found.dev === this.opened.dev) return;
    const text = found === null ? 'is gone' : 'is another folder than the one that was opened';
    throw new EngineError(
      'store-unreachable',
      `${this.path} ${text}: check that its disk is mounted, and start again. Nothing was written.`,
      { isRetryable: true },
    );
  }

  /** Makes a folder below this one, durably, but never this one itself. */
  async makeFolder(names: readonly string[]): Promise<void> {
    let parent = this.path;
    for (const name of names) {
      const folder = join(parent, name);
      if (!this.made.has(folder)) {
        await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
          if (!isCode(error, 'EEXIST')) throw error;
        });
        // Also one that another process has just made: it may not be durable yet.
        await syncFolder(parent);
        this.made.add(folder);
      }
      parent = folder;
    }
  }

  /** Folders that were seen may have been removed since: the next writer creates them again. */
  forgetFolders(): void {
    this.made.clear();
  }
}

function notAFolder(path: string, cause: unknown): EngineError {
  return new EngineError('store-refused', `${path} is no folder: give a folder, or a path where nothing is yet.`, {
    cause,
  });
}
