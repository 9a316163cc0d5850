import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';

interface WhenNearProps {
  /** Height of what is shown then, so that the page is as long from the beginning. */
  heightPx: number;
  children: ReactNode;
}

/**
 * What is below the fold, loaded once a person scrolls to it, or uses the keyboard, which reaches what is not seen. The first load of a
 * dashboard is what is seen of it.
 */
export function WhenNear({ heightPx, children }: WhenNearProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (isNear || ref.current === null) return;
    const show = () => setNear(true);
    const observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && show());
    observer.observe(ref.current);
    window.addEventListener('keydown', show);
    return () => {
      observer.disconnect();
      window.removeEventListener('keydown', show);
    };
  }, [isNear]);
  const room = <div ref={ref} style={{ gridColumn: '1 / -1', height: heightPx }} />;
  return isNear ? <Suspense fallback={room}>{children}</Suspense> : room;
}
