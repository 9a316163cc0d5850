import { randomBytes } from 'node:crypto';
import type { StoredItem } from '@keepwatch/engine/model/items';
import { NO_COUNTS } from '@keepwatch/engine/model/outcome';
import { type Commit, newRunId, type ObjectChange } from '@keepwatch/engine/repository/commit';

/** Commits as a repository gives them, made without one: what is measured here is the catalog alone. */

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-01-01T00:00:00.000Z');

/** A run that ends in a restore point, `number` days after the first. */
export function madeCommit(key: string, number: number, changes: readonly ObjectChange[]): Commit {
  const at = new Date(START_MS + number * DAY_MS);
  const run = newRunId(at);
  return {
    run,
    sequence: 1,
    header: { id: run, kind: 'backup', job: 'bench', jobName: 'bench', organizationId: 'bench', startedAt: at },
    packs: [],
    sections: [
      {
        key,
        organizationId: 'bench',
        kind: 'mailbox',
        id: key,
        name: key,
        owner: null,
        address: null,
        revision: number,
        at,
        changes,
      },
    ],
    retiredPacks: [],
    follows: [],
    damage: [],
    erasedPacks: [],
    expiredBefore: null,
    expiredJobs: [],
    end: {
      outcome: 'Success',
      finishedAt: at,
      counts: { ...NO_COUNTS, objects: 1 },
      objects: [[key, number]],
      findings: { failures: [], lost: [], skipped: [], alerts: [] },
    },
    closedBy: null,
  };
}

/** Message `number` of a folder; `version` distinguishes its states. */
export function madeMessage(folder: string, number: number, version: number, subject = subjectOf(number)): StoredItem {
  const receivedAt = new Date(START_MS - number * 600_000).toISOString();
  return {
    id: `AAMkAGI2TG93AAA${folder}${String(number).padStart(9, '0')}AAAAAEMAAB`,
    kind: 'message',
    parentId: folder,
    name: subject,
    sizeBytes: 20_000 + (number % 1_000) * 37,
    modifiedAt: new Date(receivedAt),
    details: {
      from: `Person ${number % 503} <person${number % 503}@contoso.example>`,
      to: ['Ada <ada@contoso.example>'],
      receivedAt,
      isRead: version % 2 === 0,
    },
    contents: [{ name: 'mime', sizeBytes: 20_000, segments: [[randomBytes(16).toString('base64url'), 0, 20_000]] }],
  };
}

const BEGINNINGS = [
  'Offer',
  'Re: Offer',
  'Invoice',
  'Meeting on',
  'Minutes of',
  'Your order',
  'Fwd: Plan',
  'Question about',
  'Angebot',
  'Holiday',
];

/** Names as they come: neither in the order in which messages arrive nor against it. */
function subjectOf(number: number): string {
  const mixed = Math.imul(number, 2_654_435_761) >>> 0;
  return `${BEGINNINGS[mixed % BEGINNINGS.length]} ${(mixed % 90_000) + 10_000}`;
}

export function madeFolder(id: string): StoredItem {
  return {
    id,
    kind: 'mail-folder',
    parentId: null,
    name: id,
    sizeBytes: 0,
    modifiedAt: null,
    details: {},
    contents: [],
  };
}
