import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Subject } from './dashboard-filters.ts';
import type { Figure } from './figure-list.data.ts';

const FigureDialog = lazy(() => import('./figure-dialog.tsx'));

interface FigureButtonProps {
  figure: Figure;
  subject: Subject;
  className: string | undefined;
  children: ReactNode;
}

/** A figure that no screen is about: it opens the list of what it counts. */
export function FigureButton({ figure, subject, className, children }: FigureButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {children}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <FigureDialog figure={figure} subject={subject} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
