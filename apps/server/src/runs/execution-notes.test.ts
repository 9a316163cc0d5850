import { readFile } from 'node:fs/promises';
import { getJobExecution } from '@keepwatch/contract/executions/job-executions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { buildExecution, buildJob } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

/** The statements of the migration that convert rows. */
async function conversions(): Promise<string[]> {
  const file = new URL('../../migrations/0011_note_threads.sql', import.meta.url);
  const statements = (await readFile(file, 'utf8')).split('--> statement-breakpoint');
  return statements.filter((statement) => statement.includes('UPDATE job_executions'));
}

it('converts the one note of an earlier version into a thread, and names who set the state', async () => {
  const operator = await portal.as('operator');
  const id = await buildExecution(portal.database, await buildJob(portal.database), { state: 'resolved' });
  const note = { content: 'Called', userId: operator.userId, by: 'anna', at: TEST_NOW.toISOString() };
  await execute(
    portal.database,
    sql`update job_executions set notes = ${JSON.stringify(note)}, changed_by = ${operator.userId} where id = ${id}`,
  );
  for (const statement of await conversions()) await execute(portal.database, sql.raw(statement));
  const { data } = await operator.call(getJobExecution, { params: { id } });
  expect(data).toMatchObject({
    note: 'Called',
    notes: [{ content: 'Called', by: 'anna', at: TEST_NOW.toISOString(), isOwn: true }],
    changedBy: operator.username,
    changedAt: null,
  });
});
