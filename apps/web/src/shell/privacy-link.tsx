import { lazy, Suspense, useRef, useState } from 'react';
import styles from './footer.module.css';

const PrivacyPolicy = lazy(() => import('./privacy-policy.tsx'));

/** Opens the Privacy Policy. Its text is loaded when it is first asked for. */
export function PrivacyLink() {
  const [isOpen, setIsOpen] = useState(false);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const close = () => {
    setIsOpen(false);
    buttonRef.current?.focus();
  };
  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        className={styles.link}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        Privacy Policy
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <PrivacyPolicy onClose={close} />
        </Suspense>
      )}
    </>
  );
}
