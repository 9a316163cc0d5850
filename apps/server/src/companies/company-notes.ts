import type { CompanyNote } from '@keepwatch/contract/companies/company-notes';
import { sql } from 'drizzle-orm';
import { type Connection, row } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { newId } from '../foundation/secrets.ts';
import { insert, remove } from '../foundation/table-writes.ts';
import type { Author } from '../runs/execution-notes.ts';
import { companyNotes } from './tables.ts';

interface NoteQuery {
  companyId: string;
  callerId: string;
  limit: number;
  offset: number;
}

/** Lists the notes of a company, newest first. */
export function findCompanyNotes(
  connection: Connection,
  scope: Scope,
  { companyId, callerId, limit, offset }: NoteQuery,
): Promise<Page<CompanyNote>> {
  const found = sql`company_notes n where ${scope.rows('n')} and n.company_id = ${companyId}`;
  return readPage(
    connection,
    sql`select n.id as "_id", n.content, n.username as by, n.at, n.user_id = ${callerId} as "isOwn" from ${found}
        order by n.at desc, n.id limit ${limit} offset ${offset}`,
    sql`select count(*) as count from ${found}`,
  );
}

/** Adds a note to a company, of which the caller has made sure that it is in scope. */
export async function insertCompanyNote(
  connection: Connection,
  { providerId }: Scope,
  companyId: string,
  content: string,
  { userId, username, at }: Author,
): Promise<CompanyNote> {
  const id = newId();
  await insert(connection, companyNotes, { providerId, id, companyId, userId, username, at, content });
  return { _id: id, content, by: username, at: at.toISOString(), isOwn: true };
}

/** Removes a note of this user and returns its text. Throws 404 for one that is not there, or of another user. */
export async function removeOwnNote(
  connection: Connection,
  scope: Scope,
  { companyId, noteId, userId }: { companyId: string; noteId: string; userId: string },
): Promise<string> {
  const found = await row<{ content: string }>(
    connection,
    sql`select n.content from company_notes n where ${scope.rows('n')} and n.company_id = ${companyId} and n.id = ${noteId}
          and n.user_id = ${userId} for update`,
  );
  if (found === null) throw notFound('note');
  await remove(connection, companyNotes, { providerId: scope.providerId, id: noteId });
  return found.content;
}
