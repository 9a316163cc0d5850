import type { SessionLogLine } from '@keepwatch/connectors/ports/microsoft365-engine';
import { sql } from 'drizzle-orm';
import { cutText } from '../../foundation/cut-text.ts';
import { type Connection, execute } from '../../foundation/database.ts';

/** Lines of one statement. */
const BATCH = 500;
/** Lines that wait while the database does not answer; what comes after them is counted. */
const WAITING_MAX = 50_000;
const TEXT_MAX = 2_000;

/** Writes the log of a run in batches, in order. */
export class SessionLog {
  private readonly connection: Connection;
  private readonly session: { providerId: number; id: string };
  private waiting: SessionLogLine[] = [];
  private readonly now: () => Date;
  private missed = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(connection: Connection, session: { providerId: number; id: string }, now: () => Date = () => new Date()) {
    this.connection = connection;
    this.session = session;
    this.now = now;
  }

  add(level: SessionLogLine['level'], objectName: string | null, text: string): void {
    if (this.waiting.length >= WAITING_MAX) this.missed += 1;
    else this.waiting.push({ at: this.now(), level, ...storableLine(objectName, text) });
  }

  /** Writes what waits. Calls take turns, so that lines come in their order. */
  flush(): Promise<void> {
    this.writing = this.writing.catch(() => undefined).then(() => this.writeAll());
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, BATCH);
      await this.write(batch);
      this.waiting.splice(0, batch.length);
      if (this.waiting.length === 0) this.sayMissed();
    }
  }

  private sayMissed(): void {
    if (this.missed === 0) return;
    const count = this.missed;
    this.missed = 0;
    this.add('warning', null, `${count} lines are missing here: the database did not answer for too long.`);
  }

  private async write(lines: readonly SessionLogLine[]): Promise<void> {
    const { providerId, id } = this.session;
    const columnOf = <T>(pick: (line: SessionLogLine) => T) => sql.param(lines.map(pick));
    await execute(
      this.connection,
      sql`insert into m365_session_log (provider_id, session_id, at, level, object_name, text)
          select ${providerId}, ${id}, l.at, l.level, l.object_name, l.text
          from unnest(${columnOf(({ at }) => at.toISOString())}::timestamptz[], ${columnOf(({ level }) => level)}::text[],
            ${columnOf(({ objectName }) => objectName)}::text[], ${columnOf(({ text }) => text)}::text[]) with ordinality as l(at, level, object_name, text, place)
          order by l.place`,
    );
  }
}

/** PostgreSQL accepts neither NUL nor half a character, both of which may be in the name of an item. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed();

const storableLine = (objectName: string | null, text: string) => ({
  objectName: objectName === null ? null : cutText(storable(objectName), TEXT_MAX),
  text: cutText(storable(text), TEXT_MAX),
});
