import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { type Connection, execute } from '../database.ts';
import type { Queue } from '../queue.ts';
import { insert } from '../table-writes.ts';
import { outbox } from '../tables.ts';

/** One thing of a provider that events and alarms are about. */
export interface Subject {
  providerId: number;
  id: string;
}

/** Something that happened to a subject, which higher capabilities may act on. */
export interface DomainEvent<Payload extends object = object> {
  /** `subject.what-happened`. */
  name: string;
  /** Kind of the subject. */
  subject: string;
  /** Parsed before each delivery: what waits may come from an earlier version. */
  payload: z.ZodMiniType<Payload>;
}

export function declareEvent<Payload extends object>(event: DomainEvent<Payload>): DomainEvent<Payload> {
  return event;
}

/** A kind of subject, with the event that says that one is gone: whatever is open about it then ends. */
export interface SubjectKind {
  kind: string;
  removed: DomainEvent;
}

export function declareSubject(kind: string): SubjectKind {
  return { kind, removed: declareEvent({ name: `${kind}.removed`, subject: kind, payload: z.object({}) }) };
}

/** Any number that no other lock uses; the second key is derived from the subject. */
const LOCK = 7_305_123;

/**
 * Announces an event with the transaction of the change that it reports. Events of one subject get their numbers one transaction
 * after the other, so that they are delivered in the order in which they were committed.
 */
export async function announce<Payload extends object>(
  connection: Connection,
  event: DomainEvent<Payload>,
  { providerId, id }: Subject,
  payload: Payload,
): Promise<void> {
  await execute(connection, sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${`${event.subject} ${id}`}))`);
  await insert(connection, outbox, {
    providerId,
    event: event.name,
    subjectKind: event.subject,
    subjectId: id,
    payload,
  });
}

/** What a subscriber may use beside the connection. */
export interface SubscriberServices {
  queue: Queue;
}

/** What one subscriber does at one event. */
export interface Subscriber {
  /** Names it among all subscribers of the event. */
  name: string;
  event: DomainEvent;
  deliver(connection: Connection, subject: Subject, payload: unknown, services: SubscriberServices): Promise<void>;
}

/**
 * States what happens at an event, in the transaction that marks the event as delivered: what the handler writes with `connection` is
 * written once. What cannot be written (a mail, a request) it hands to a job.
 */
export function subscribe<Payload extends object>(
  event: DomainEvent<Payload>,
  name: string,
  handler: (connection: Connection, subject: Subject, payload: Payload, services: SubscriberServices) => Promise<void>,
): Subscriber {
  return {
    name,
    event,
    deliver: (connection, subject, payload, services) =>
      handler(connection, subject, event.payload.parse(payload), services),
  };
}
