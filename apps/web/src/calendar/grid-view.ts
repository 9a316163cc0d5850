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

/** Where a month is wider than the screen, it begins with today at its end: what is new is what is wanted. */
export function useTodayInView(gridRef: RefObject<HTMLDivElement | null>, month: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a month
  useEffect(() => {
    const today = gridRef.current?.querySelector('[aria-current="date"]');
    today?.scrollIntoView?.({ block: 'nearest', inline: 'end' });
  }, [gridRef, month]);
}

/** Sideways the page scrolls to the active cell by itself; up and down the virtual list has done it. */
export function useActiveInView(gridRef: RefObject<HTMLDivElement | null>, active: Place | null): void {
  useEffect(() => {
    if (active === null) return;
    gridRef.current?.querySelector('[data-active]')?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [gridRef, active]);
}
