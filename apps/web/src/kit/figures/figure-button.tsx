import { type ReactNode, Suspense, useState } from 'react';

interface FigureButtonProps {
  className?: string | undefined;
  /** Lists what the figure counts; loaded when it is opened. */
  dialog: (onClose: () => void) => ReactNode;
  children: ReactNode;
}

/** A figure that no screen is about: it opens the list of what it counts. */
export function FigureButton({ className, dialog, children }: FigureButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {children}
      </button>
      {isOpen && <Suspense fallback={null}>{dialog(() => setOpen(false))}</Suspense>}
    </>
  );
}
