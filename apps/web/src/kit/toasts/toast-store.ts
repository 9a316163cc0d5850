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

/**
 * Short messages at the foot of the page, where they cover nothing that is worked on. They leave by themselves; each kind's time is
 * the specification's (part 9).
 */
export interface ToastStore {
  success(message: string, action?: ToastAction): void;
  error(message: string, action?: ToastAction): void;
  info(message: string): void;
  /** Shows a toast in the place of the one with its `id`, with its time begun again; a new one where that has left. Gives its id. */
  show(toast: Omit<Toast, 'id'> & { id: number | null }): number;
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
  const show: ToastStore['show'] = (toast) => {
    const shown = toasts.find(({ id }) => id === toast.id);
    if (shown !== undefined) {
      change(toasts.map((other) => (other === shown ? { ...toast, id: shown.id } : other)));
      return shown.id;
    }
    const id = nextId;
    nextId += 1;
    change([...toasts, { ...toast, id }].slice(-TOASTS_MAX));
    return id;
  };
  const add = (kind: Toast['kind'], message: string, action: ToastAction | null) => {
    // The same message again (three failed calls of one screen) is one toast, and its time starts again. With an action it
    // is another toast, as each action undoes something else. A message that was shown as information (the session has
    // expired) does not become an error when a call fails with it.
    const isSame = (toast: Toast) => action === null && toast.action === null && toast.message === message;
    const same = toasts.find(isSame);
    toasts = toasts.filter((toast) => toast !== same);
    show({ id: null, kind: same?.kind ?? kind, message, action });
  };
  return {
    show,
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
