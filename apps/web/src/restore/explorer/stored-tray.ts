import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { useUser } from '../../kit/portal.tsx';
import { CONTAINER_TYPES, ITEM_TYPES, keyOf } from './entry.ts';
import { type Chosen, NOTHING } from './use-tray.ts';

/** An entry as an earlier page of this browser session stored it. */
const ENTRIES = z.array(
  z.object({
    type: z.enum([...CONTAINER_TYPES, ...ITEM_TYPES]),
    name: z.string(),
    objectId: z.string(),
    objectName: z.string(),
    itemId: z.nullable(z.string()),
    within: z.nullable(z.string()),
    from: z.nullable(z.string()),
    date: z.nullable(z.string()),
    sizeBytes: z.nullable(z.number()),
    isDeleted: z.boolean(),
    detail: z.nullable(z.string()),
    at: z.exactOptional(z.string()),
  }),
);

/** Where the tray of an explorer is stored, each user and organization apart. */
export function useTrayKey(explorer: string, organizationId: string | undefined): string {
  return `tray:${useUser().id}:${organizationId ?? ''}:${explorer}`;
}

/** What was chosen. It outlives a reload, and a visit of another explorer, until the browser session ends. */
export function useStoredTray(key: string) {
  const [chosen, change] = useState(() => read(key));
  useEffect(() => {
    if (chosen.size === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify([...chosen.values()]));
  }, [key, chosen]);
  return [chosen, change] as const;
}

function read(key: string): Chosen {
  try {
    const entries = ENTRIES.parse(JSON.parse(sessionStorage.getItem(key) ?? '[]'));
    return new Map(entries.map((entry) => [keyOf(entry), entry]));
  } catch {
    // Another version stored something else.
    return NOTHING;
  }
}
