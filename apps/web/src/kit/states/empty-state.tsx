import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';

/** In the place of a list without rows. `text` says why there are none and what to do about it. */
export function EmptyState({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Notice title={title} text={text}>
      {children}
    </Notice>
  );
}
