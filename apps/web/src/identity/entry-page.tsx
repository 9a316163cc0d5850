import type { ReactNode } from 'react';
import { EntryFrame } from '../entities/entry-frame.tsx';
import { useBranding } from '../kit/portal.tsx';

/** The page before the portal, in the looks of the brand: heading and form. */
export function EntryPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <EntryFrame brand={useBranding()} title={title}>
      {children}
    </EntryFrame>
  );
}
