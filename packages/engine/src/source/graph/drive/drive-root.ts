import { type JsonObject, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { isRoot } from './drive-item.ts';
import { drivePath } from './drive-paths.ts';

/** The id of a drive's root, which items at the top name as their parent. Asked for only when no page contained it. */
export class DriveRoot {
  private readonly reading: Reading;
  private known: string | undefined;

  constructor(reading: Reading) {
    this.reading = reading;
  }

  learn(entities: readonly JsonObject[]): void {
    this.known ??= textOf(entities.find(isRoot)?.['id']);
  }

  async id(): Promise<string> {
    if (this.known !== undefined) return this.known;
    const { connection, request } = this.reading;
    const path = `${drivePath(request.object.id)}/root?$select=id`;
    this.known = textOf((await connection.ask({ path, signal: request.signal }))['id']) ?? '';
    return this.known;
  }
}
