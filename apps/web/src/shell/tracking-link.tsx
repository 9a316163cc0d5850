import { useSyncExternalStore } from 'react';
import { useBranding } from '../kit/portal.tsx';
import styles from './footer.module.css';
import { readConsent, storeConsent, subscribeConsent } from './tracking-consent.ts';

/** Takes back what the user said about the usage tracking: the portal asks again. */
export default function TrackingLink() {
  const { id } = useBranding();
  const consent = useSyncExternalStore(subscribeConsent, () => readConsent(id));
  if (consent === null) return null;
  return (
    <button type="button" className={styles.link} onClick={() => storeConsent(id, null)}>
      {consent === 'allowed' ? 'Usage tracking is on: change' : 'Usage tracking is off: change'}
    </button>
  );
}
