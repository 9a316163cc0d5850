import type { ExecutionNote } from '@keepwatch/contract/executions/job-executions';
import { type SQL, sql } from 'drizzle-orm';
import { newId } from '../foundation/secrets.ts';

/** Who changes an execution, and when: stored with a note and with a state. */
export interface Author {
  userId: string;
  username: string;
  at: Date;
}

/** One note of the thread in `job_executions.notes`, oldest first. */
export interface StoredNote {
  id: string;
  content: string;
  userId: string;
  by: string;
  at: string;
}

/** A new note, for all executions of one change: by its id the change is undone. */
export function newNote(content: string, { userId, username, at }: Author): StoredNote {
  return { id: newId(), content, userId, by: username, at: at.toISOString() };
}

/** The thread as the caller sees it; notes of the caller are marked. */
export function readNotes(stored: readonly StoredNote[] | null, callerId: string): ExecutionNote[] {
  return (stored ?? []).map(({ id, content, userId, by, at }) => ({
    _id: id,
    content,
    by,
    at,
    isOwn: userId === callerId,
  }));
}

/** The threads of two executions that turned out to be one, oldest first. */
export function joinedNotes(
  one: readonly StoredNote[] | null,
  other: readonly StoredNote[] | null,
): readonly StoredNote[] | null {
  if (one === null || other === null) return one ?? other;
  return [...one, ...other].sort((first, second) => Date.parse(first.at) - Date.parse(second.at));
}

/** The thread of `e` with one note more. */
export function withNote(note: StoredNote): SQL {
  return sql`coalesce(e.notes, '[]') || ${JSON.stringify(note)}::jsonb`;
}

/** The thread of `e` without a note; null when it was the only one. */
export function withoutNote(noteId: string): SQL {
  return sql`(select jsonb_agg(n.note order by n.place) from jsonb_array_elements(e.notes) with ordinality as n (note, place)
    where n.note->>'id' <> ${noteId.toLowerCase()})`;
}

/** Is there a note of this user with this id in the thread of `e`? */
export function hasOwnNote(noteId: string, userId: string): SQL {
  return sql`e.notes @> ${JSON.stringify([{ id: noteId.toLowerCase(), userId }])}::jsonb`;
}

/** The newest note of a user in the thread of `e`, or null. */
export function lastNoteBy(userId: SQL): SQL {
  return sql`jsonb_path_query_array(e.notes, '$[*] ? (@.userId == $user)', jsonb_build_object('user', ${userId}))->-1`;
}

/** What the note says, for the audit log: it is gone afterwards. */
export function noteContent(noteId: string): SQL {
  return sql`(select n->>'content' from jsonb_array_elements(e.notes) n where n->>'id' = ${noteId.toLowerCase()})`;
}
