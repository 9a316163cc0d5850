import type { Notification } from '@keepwatch/contract/notifications/notifications';
import { Button, CloseButton } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useToasts } from '../kit/portal.tsx';
import { useAcknowledge, useBanners } from './banners.data.ts';
import styles from './banners.module.css';

const ICONS = { info: IconInfoCircle, success: IconCircleCheck, warning: IconAlertTriangle, error: IconCircleX };

/** Notifications of the selected application, above the page (specification "portal", part 2). */
export function Banners() {
  const { data = [] } = useBanners();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const application = useRouterState({ select: (state) => state.location.pathname.split('/')[1] });
  const shown = data.filter(({ app, _id }) => app === application && !closed.has(_id));
  if (shown.length === 0) return null;
  return (
    <section className={styles.banners} aria-label="Notifications">
      {shown.map((banner) => (
        <Banner key={banner._id} banner={banner} onClose={() => setClosed(new Set([...closed, banner._id]))} />
      ))}
    </section>
  );
}

function Banner({ banner, onClose }: { banner: Notification; onClose: () => void }) {
  const { mutate, isPending } = useAcknowledge();
  const Icon = ICONS[banner.severity];
  return (
    <div className={styles.banner} data-severity={banner.severity}>
      <Icon size={18} className={styles.icon} aria-label={banner.severity} />
      <span className={styles.message}>
        {banner.message} {banner.link !== null && <a href={banner.link}>Open</a>}
      </span>
      {banner.copy !== null && <CopyButton text={banner.copy} />}
      {!banner.hideAck && (
        <Button variant="default" loading={isPending} onClick={() => mutate(banner)}>
          Acknowledge
        </Button>
      )}
      {!banner.hideClose && <CloseButton size="sm" aria-label="Close for now" onClick={onClose} />}
    </div>
  );
}

function CopyButton({ text }: { text: string }) {
  const toasts = useToasts();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toasts.success('Link copied to clipboard'),
      () => toasts.error(`Your browser did not allow copying. The link is: ${text}`),
    );
  return (
    <Button variant="default" onClick={copy}>
      Copy link
    </Button>
  );
}
