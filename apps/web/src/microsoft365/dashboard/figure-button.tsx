import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Figure } from './protection.data.ts';

const FigureDialog = lazy(() => import('./figure-dialog.tsx'));

interface FigureButtonProps {
  figure: Figure;
  title: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A figure that no screen is about: it opens the list of what it counts. */
export function FigureButton({ figure, title, className, children }: FigureButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {children}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <FigureDialog figure={figure} title={title} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
