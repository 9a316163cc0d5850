import { type RefObject, useEffect, useState } from 'react';
import type { Place } from './grid-keys.ts';

/** The active cell; none in another list. */
export function useActive(jobsKey: string) {
  const [active, setActive] = useState<{ jobsKey: string; place: Place } | null>(null);
  const place = active?.jobsKey === jobsKey ? active.place : null;
  return [place, (next: Place) => setActive({ jobsKey, place: next })] as const;
}

/** Other jobs begin at the top. */
export function useTopWhenChanged(gridRef: RefObject<HTMLDivElement | null>, jobsKey: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change is what it is about
  useEffect(() => {
    if (gridRef.current !== null) gridRef.current.scrollTop = 0;
  }, [gridRef, jobsKey]);
}

/** Scrolls a month that is wider than the screen so that it ends with today, as users look for what is new. */
export function useTodayInView(gridRef: RefObject<HTMLDivElement | null>, month: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a month
  useEffect(() => {
    const today = gridRef.current?.querySelector('[aria-current="date"]');
    today?.scrollIntoView?.({ block: 'nearest', inline: 'end' });
  }, [gridRef, month]);
}

/** Scrolls sideways to the active cell; the virtual list has already scrolled up or down. */
export function useActiveInView(gridRef: RefObject<HTMLDivElement | null>, active: Place | null): void {
  useEffect(() => {
    if (active === null) return;
    gridRef.current?.querySelector('[data-active]')?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [gridRef, active]);
}
