import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useEffect, useMemo, useReducer } from 'react';
import { useUser } from '../../kit/portal.tsx';

/** What is written and not saved, by run or by fault. */
export interface NoteDrafts {
  texts: ReadonlyMap<string, string>;
  /** `null` discards it. */
  write(id: string, text: string | null): void;
  /** Discards what has been saved, unless the user went on writing meanwhile. */
  saved(id: string, text: string): void;
}

/** A note added to what was written so far. */
export function withNote(draft: string | undefined, note: string): string {
  const written = draft?.trim() ?? '';
  return written === '' ? note : `${written}\n${note}`;
}

type Texts = NoteDrafts['texts'];

const NONE: Texts = new Map();

/** Unsaved notes outlive going on to the next run and to other screens, until they are saved or discarded. */
export function useNoteDrafts(): NoteDrafts {
  const queries = useQueryClient();
  const { id: userId } = useUser();
  // Cached beside the server's answers: drafts stay from screen to screen, and are removed when the user signs out.
  const key = useMemo(() => ['note-drafts', userId], [userId]);
  const { data: texts = NONE } = useQuery({
    queryKey: key,
    meta: { outlivesExpiry: true },
    queryFn: () => NONE,
    initialData: NONE,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  useWarnBeforeLeaving(texts.size > 0);
  const [, drawAtOnce] = useReducer((drawn: number) => drawn + 1, 0);
  return useMemo(() => {
    const write = (id: string, text: string | null) => {
      queries.setQueryData<Texts>(key, (before = NONE) => withText(before, id, text));
      // The cache notifies its readers a moment later. A field that shows a letter late loses the next one, and its caret.
      drawAtOnce();
    };
    const saved = (id: string, text: string) => {
      if (queries.getQueryData<Texts>(key)?.get(id)?.trim() === text) write(id, null);
    };
    return { texts, write, saved };
  }, [queries, key, texts]);
}

function withText(before: Texts, id: string, text: string | null): Texts {
  const others = [...before].filter(([other]) => other !== id);
  return new Map(text === null ? others : [...others, [id, text]]);
}

/** The browser asks before it closes or reloads the page: that is the one way in which they would be lost. */
function useWarnBeforeLeaving(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isOn]);
}

/** The runs with an unsaved note, for the marks in the rows: another set only when another run has one. */
export const UnsavedNotes = createContext<ReadonlySet<string>>(new Set());

export function useUnsavedIds({ texts }: NoteDrafts): ReadonlySet<string> {
  const ids = [...texts.keys()].sort().join();
  return useMemo(() => new Set(ids === '' ? [] : ids.split(',')), [ids]);
}
