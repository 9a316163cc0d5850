import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from './panel.module.css';

interface TriggerProps {
  ref: RefObject<HTMLButtonElement | null>;
  'aria-expanded': boolean;
  'aria-haspopup': 'dialog';
  'aria-controls': string;
  onClick: () => void;
}

interface PanelProps {
  /** Read out as the panel's name. */
  label: string;
  /** The button it hangs on; spread the properties on it. */
  trigger: (props: TriggerProps) => ReactNode;
  /** Rendered only while open. `close` also gives the focus back to the button. */
  children: (close: () => void) => ReactNode;
  /** Which edge of the button it keeps to. */
  align?: 'start' | 'end';
}

const GAP_PX = 4;
const MARGIN_PX = 8;

/**
 * A panel under (or over) its button: menus, pickers, details. It uses the browser's own popover, which is above
 * everything and costs no code; a click outside and Escape close it.
 */
export function Panel({ label, trigger, children, align = 'start' }: PanelProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const panelRef = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    buttonRef.current?.focus();
  };
  usePlacement(isOpen, buttonRef, panelRef, align);
  useFocusInside(isOpen, panelRef);
  useClosing(isOpen, buttonRef, panelRef, setOpen, close);
  return (
    <>
      {trigger({
        ref: buttonRef,
        'aria-expanded': isOpen,
        'aria-haspopup': 'dialog',
        'aria-controls': id,
        onClick: () => setOpen((before) => !before),
      })}
      {isOpen && (
        <div
          ref={panelRef}
          id={id}
          className={styles.panel}
          popover="manual"
          role="dialog"
          aria-label={label}
          tabIndex={-1}
        >
          {children(close)}
        </div>
      )}
    </>
  );
}

function usePlacement(
  isOpen: boolean,
  buttonRef: RefObject<HTMLButtonElement | null>,
  panelRef: RefObject<HTMLDivElement | null>,
  align: 'start' | 'end',
): void {
  useLayoutEffect(() => {
    const panel = panelRef.current;
    const button = buttonRef.current;
    if (!isOpen || panel === null || button === null) return;
    panel.showPopover?.();
    const place = () => placeUnder(panel, button.getBoundingClientRect(), align);
    place();
    // What is inside may load or grow after it has opened.
    const sizes = new ResizeObserver(place);
    sizes.observe(panel);
    window.addEventListener('resize', place);
    window.addEventListener('scroll', place, true);
    return () => {
      sizes.disconnect();
      window.removeEventListener('resize', place);
      window.removeEventListener('scroll', place, true);
    };
  }, [isOpen, buttonRef, panelRef, align]);
}

const FIRST_CHOICES = [
  '[data-autofocus]',
  ':is(input, textarea, select):not(:disabled)',
  'button:not(:disabled), a[href]',
];

/**
 * Gives the panel the focus once it is shown: what it marks with `data-autofocus`, else its first field, else its first button.
 * React's own `autoFocus` comes too early, while the panel is not shown and can have no focus.
 */
function useFocusInside(isOpen: boolean, panelRef: RefObject<HTMLDivElement | null>): void {
  useLayoutEffect(() => {
    const panel = panelRef.current;
    if (!isOpen || panel === null) return;
    const [first = panel] = FIRST_CHOICES.flatMap((choice) => panel.querySelector<HTMLElement>(choice) ?? []);
    first.focus({ preventScroll: true });
  }, [isOpen, panelRef]);
}

function placeUnder(panel: HTMLElement, button: DOMRect, align: 'start' | 'end'): void {
  const { offsetWidth: width, offsetHeight: height } = panel;
  const alignedLeft = align === 'start' ? button.left : button.right - width;
  const left = Math.max(MARGIN_PX, Math.min(alignedLeft, window.innerWidth - width - MARGIN_PX));
  const under = button.bottom + GAP_PX;
  const over = button.top - GAP_PX - height;
  const isTooLow = under + height > window.innerHeight - MARGIN_PX;
  const top = isTooLow && over >= MARGIN_PX ? over : under;
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
  panel.style.maxHeight = `${window.innerHeight - top - MARGIN_PX}px`;
}

/** How long a finger may rest before its tap counts again. */
const TAP_MS = 700;

/** Swallows the tap that closes a panel: the user did not mean what is under the finger. */
function swallowTap(): void {
  const swallow = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  const end = () => {
    clearTimeout(timer);
    document.removeEventListener('click', swallow, true);
  };
  const timer = setTimeout(end, TAP_MS);
  document.addEventListener('click', swallow, true);
}

function useClosing(
  isOpen: boolean,
  buttonRef: RefObject<HTMLButtonElement | null>,
  panelRef: RefObject<HTMLDivElement | null>,
  setOpen: (isOpen: boolean) => void,
  close: () => void,
): void {
  const latestClose = useRef(close);
  useEffect(() => {
    latestClose.current = close;
  });
  useEffect(() => {
    if (!isOpen) return;
    const isOutside = (target: EventTarget | null) =>
      target instanceof Node && !panelRef.current?.contains(target) && !buttonRef.current?.contains(target);
    const onPointer = (event: PointerEvent) => {
      if (!isOutside(event.target)) return;
      setOpen(false);
      if (event.pointerType === 'touch') swallowTap();
    };
    const onFocus = (event: FocusEvent) => isOutside(event.target) && setOpen(false);
    const onKey = (event: KeyboardEvent) => {
      // A panel that is open within this one closes first.
      if (event.key !== 'Escape' || panelRef.current?.querySelector('[popover]') != null) return;
      event.preventDefault();
      latestClose.current();
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('keydown', onKey, true);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('keydown', onKey, true);
    };
  }, [isOpen, buttonRef, panelRef, setOpen]);
}
