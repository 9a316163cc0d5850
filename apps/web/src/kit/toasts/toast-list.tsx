import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useToasts } from '../portal.tsx';
import styles from './toast-list.module.css';
import { TOAST_MS, type Toast } from './toast-store.ts';

const ICONS = { success: IconCircleCheck, error: IconCircleX, info: IconInfoCircle };

/**
 * Shows the toasts; once a page. Hovering or focusing one keeps it. The list is there before its first message, so that a screen
 * reader reads each one, and reads it once.
 */
export function ToastList() {
  const store = useToasts();
  const toasts = useSyncExternalStore(store.subscribe, store.get);
  return (
    <section className={styles.list} aria-label="Messages" role="status" aria-atomic="false">
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} onClose={() => store.close(toast.id)} />
      ))}
    </section>
  );
}

function ToastItem({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const [isHeld, setHeld] = useState(false);
  useTimeout(
    onClose,
    isHeld ? null : toast.action === null ? TOAST_MS[toast.kind] : TOAST_MS.withAction,
    toast.message,
  );
  const Icon = ICONS[toast.kind];
  const { action } = toast;
  const act = () => {
    action?.run();
    onClose();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps the message; there is nothing to operate
    <div
      className={styles.toast}
      data-kind={toast.kind}
      role={toast.kind === 'error' ? 'alert' : undefined}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} aria-hidden className={styles.icon} />
      <span className={styles.message}>{toast.message}</span>
      {action !== null && (
        <button type="button" className={styles.action} onClick={act}>
          {action.label}
        </button>
      )}
      <button type="button" className={styles.close} aria-label="Close message" onClick={onClose}>
        <IconX size={14} aria-hidden />
      </button>
    </div>
  );
}

function useTimeout(run: () => void, afterMs: number | null, message: string): void {
  // Runs once for its time, which begins again with another message: a new `run` with every render must not begin it again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (afterMs === null) return;
    const timer = setTimeout(run, afterMs);
    return () => clearTimeout(timer);
  }, [afterMs, message]);
}
