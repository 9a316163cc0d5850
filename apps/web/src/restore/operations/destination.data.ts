import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../kit/portal.tsx';
import type { RestoreApplication } from '../explorer/application.ts';
import type { Entry } from '../explorer/entry.ts';
import { RESTORE_KEY } from '../points/points.data.ts';

/** A mailbox, OneDrive, site or team that is backed up, as something to restore into. */
export interface DestinationChoice {
  label: string;
  /** How the calls name it. */
  value: string;
}

const CHOICES_MAX = 10;

/** The first of those that are backed up and have the searched text in their names. */
export function useDestinations(
  { destination, sourcesOf, sessionType }: RestoreApplication,
  sessionId: string,
  search: string,
) {
  const api = useApi();
  const { data = [] } = useQuery({
    queryKey: [...RESTORE_KEY, 'destinations', sessionId, sessionType, search],
    queryFn: async ({ signal }) => {
      const [objects] = sourcesOf(null);
      const range = { limit: CHOICES_MAX, offset: 0 };
      const page = await objects?.read(api, { sessionId, range, sort: 'name', search }, signal);
      return choicesOf(page?.entries ?? [], destination.targetOf);
    },
    placeholderData: keepPreviousData,
  });
  return data;
}

/** With the address behind a name, which alone may be several people's; two that read alike are one. */
function choicesOf(
  objects: readonly Entry[],
  targetOf: RestoreApplication['destination']['targetOf'],
): readonly DestinationChoice[] {
  const choices = new Map<string, DestinationChoice>();
  for (const object of objects) {
    const value = targetOf(object);
    const label = object.detail === null ? object.name : `${object.name} (${object.detail})`;
    if (value !== null && !choices.has(label)) choices.set(label, { label, value });
  }
  return [...choices.values()];
}
