import type { SelectedItem } from '@keepwatch/connectors/ports/microsoft365-engine';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { execute, rows } from '../../../foundation/database.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts';
import { seedProviders } from '../../../testing/test-portal.ts';
import type { SessionWorkerOptions } from '../session-worker.ts';
import { makeSession } from '../sessions.ts';
import { buildPlace, placesOf, seenSession, startWorker } from './worker.ts';

/** A database and two sandbox tenants for the tests of one file, with workers and places that end with each test. */
export class WorkerBed {
  database!: TestDatabase;
  tenant!: RunningTenant;
  /** Answers late, so that a run can be caught in the middle. */
  slowTenant!: RunningTenant;
  readonly closing: (() => Promise<unknown>)[] = [];

  constructor() {
    beforeAll(() => this.open());
    afterEach(() => this.clear());
    afterAll(() => this.close());
  }

  private async open(): Promise<void> {
    this.database = await createTestDatabase();
    await seedProviders(this.database.pool);
    this.tenant = await startTenant({ size: 'small', budgets: false });
    this.slowTenant = await startTenant({ size: 'small', budgets: false, latencyMs: 25 });
  }

  private async clear(): Promise<void> {
    for (const close of this.closing.splice(0).reverse()) await close();
    await execute(this.database.pool, sql`delete from m365_jobs`);
  }

  private async close(): Promise<void> {
    await this.tenant.stop();
    await this.slowTenant.stop();
    await this.database.drop();
  }

  /** Starts a worker that ends with the test. */
  async worker(of = this.tenant, options: Partial<SessionWorkerOptions> = {}) {
    const started = await startWorker(placesOf(this.database.url, of, options));
    this.closing.push(started.stop);
    return started.services;
  }

  async place(services?: Parameters<typeof buildPlace>[1]) {
    const built = await buildPlace(this.database.pool, services);
    this.closing.push(built.remove);
    return built;
  }

  async begin(jobId: string): Promise<string> {
    const session = await makeSession(this.database.pool, { providerId: 1, id: jobId }, new Date());
    if (session === null) throw new Error('The job runs already.');
    return session;
  }

  /** What a job of the mailboxes and drives of some people selects, so that a run takes seconds. */
  ofPeople(count: number): { backupType: 'SelectedItems'; selected: SelectedItem[] } {
    const people = this.tenant.tenant.directory.users.slice(0, count);
    return { backupType: 'SelectedItems', selected: people.map(({ id }) => ({ ...PERSON, id })) };
  }

  seen(session: string) {
    return seenSession(this.database.pool, session);
  }

  ended(session: string): Promise<void> {
    return expect.poll(() => this.seen(session), { timeout: 60_000 }).toMatchObject({ isEnded: true });
  }

  /** Waits until items of a run were read, and it is not at its end. */
  async isReading(session: string): Promise<void> {
    const itemsRead = async () => (await this.seen(session)).progress.itemsRead ?? 0;
    await expect.poll(itemsRead, { timeout: 30_000 }).toBeGreaterThan(0);
  }

  /** Waits until a worker says that it is at a run. */
  async isAt(session: string, worker: string): Promise<void> {
    const texts = async () => (await this.logOf(session)).map(({ text }) => text.split(' ').slice(0, 2).join(' '));
    await expect.poll(texts, { timeout: 30_000 }).toContain(`Worker ${worker}`);
  }

  logOf(session: string) {
    return rows<{ level: string; objectName: string | null; text: string }>(
      this.database.pool,
      sql`select level, object_name as "objectName", text from m365_session_log where session_id = ${session} order by line`,
    );
  }
}

const PERSON = {
  type: 'User',
  name: '',
  mailbox: true,
  archiveMailbox: false,
  oneDrive: true,
  sites: false,
  personalSite: true,
  teams: true,
} as const;
