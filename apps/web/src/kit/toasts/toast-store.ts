export interface Toast {
  id: number;
  kind: 'success' | 'error' | 'info';
  message: string;
  action: ToastAction | null;
}

/** One thing to do from the toast, usually Undo. */
export interface ToastAction {
  label: string;
  run: () => void;
}

/** Short messages at the lower left, where they cover nothing that can be done. They leave by themselves; each kind's time is the specification's (part 9). */
export interface ToastStore {
  success(message: string, action?: ToastAction): void;
  error(message: string, action?: ToastAction): void;
  info(message: string): void;
  close(id: number): void;
  get(): readonly Toast[];
  subscribe(listener: () => void): () => void;
}

/** How long a toast stays, in milliseconds. One with an action stays longer: an Undo has to be read and reached. */
export const TOAST_MS = { success: 3_500, error: 5_000, info: 5_000, withAction: 8_000 } as const;
const TOASTS_MAX = 4;

export function createToastStore(): ToastStore {
  let toasts: readonly Toast[] = [];
  let nextId = 1;
  const listeners = new Set<() => void>();
  const change = (next: readonly Toast[]) => {
    toasts = next;
    for (const listener of listeners) listener();
  };
  const add = (kind: Toast['kind'], message: string, action: ToastAction | null) => {
    // The same message again (three failed calls of one screen) is one toast, with its time begun anew. With an action it is
    // another one: each takes back something else. What was told as information (the session has expired) is no error for
    // the call that met with it.
    const isSame = (toast: Toast) => action === null && toast.action === null && toast.message === message;
    const same = toasts.find(isSame);
    const others = toasts.filter((toast) => toast !== same);
    change([...others, { id: nextId, kind: same?.kind ?? kind, message, action }].slice(-TOASTS_MAX));
    nextId += 1;
  };
  return {
    success: (message, action) => add('success', message, action ?? null),
    error: (message, action) => add('error', message, action ?? null),
    info: (message) => add('info', message, null),
    close: (id) => change(toasts.filter((toast) => toast.id !== id)),
    get: () => toasts,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
