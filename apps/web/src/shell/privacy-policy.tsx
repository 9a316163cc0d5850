import { Modal } from '@mantine/core';
import { useBranding } from '../kit/portal.tsx';
import styles from './privacy-policy.module.css';
import { privacySections } from './privacy-sections.ts';

/** The Privacy Policy of the brand (specification "portal", part 2). */
export default function PrivacyPolicy({ onClose }: { onClose: () => void }) {
  const { name, supportEmail } = useBranding();
  return (
    <Modal opened onClose={onClose} title="Privacy Policy" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={styles.text}>
        {privacySections(name).map(({ title, text }) => (
          <section key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </section>
        ))}
        <section>
          <h3>Opt-out</h3>
          <p>
            You can refuse surveys and every e-mail that your account does not need, and ask what is stored about you or
            have it corrected or deleted.{' '}
            {supportEmail === null ? (
              `Ask the support of ${name}.`
            ) : (
              <>
                Write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
              </>
            )}
          </p>
        </section>
      </div>
    </Modal>
  );
}
