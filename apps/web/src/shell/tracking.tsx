import { Button } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { useBranding } from '../kit/portal.tsx';
import styles from './tracking.module.css';
import { readConsent, storeConsent, subscribeConsent } from './tracking-consent.ts';

/** Asks whether the usage tracking of the brand may be loaded, and loads it for those who agreed. */
export default function Tracking({ url }: { url: string }) {
  const { id, name } = useBranding();
  const consent = useSyncExternalStore(subscribeConsent, () => readConsent(id));
  useScript(consent === 'allowed' ? url : null);
  if (consent !== null) return null;
  return (
    <section className={styles.bar} aria-label="Usage tracking">
      <p className={styles.text}>
        {name} would like to measure how the portal is used, with a program from {new URL(url).host}. You can change
        your choice at the bottom of the dashboard.
      </p>
      <Button variant="default" onClick={() => storeConsent(id, 'declined')}>
        Decline
      </Button>
      <Button variant="default" onClick={() => storeConsent(id, 'allowed')}>
        Allow
      </Button>
    </section>
  );
}

/** A program that was loaded cannot be removed: where the user no longer agrees, the page begins again without it. */
function useScript(url: string | null): void {
  useEffect(() => {
    const loaded = document.querySelector<HTMLScriptElement>('script[data-tracking]');
    if (url === null) {
      if (loaded !== null) location.reload();
      return;
    }
    if (loaded !== null) return;
    const script = document.createElement('script');
    script.src = url;
    script.async = true;
    script.referrerPolicy = 'no-referrer';
    script.dataset['tracking'] = '';
    document.head.append(script);
  }, [url]);
}
