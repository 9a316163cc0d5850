import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';

/** Shown instead of an empty list. `text` says why it is empty and what to do about it. */
export function EmptyState({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Notice title={title} text={text}>
      {children}
    </Notice>
  );
}
