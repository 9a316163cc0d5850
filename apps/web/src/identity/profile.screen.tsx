import { Suspense } from 'react';
import { Looks } from './profile/looks.tsx';
import { OwnDetails } from './profile/own-details.tsx';
import styles from './profile/profile.module.css';
import { PROFILE_SECTIONS } from './profile/sections.ts';

/** What a user says of the own account, and how the portal looks to that user. */
export default function ProfileScreen() {
  return (
    <div className={styles.profile}>
      <section className={styles.section} aria-label="Details">
        <h2>Details</h2>
        <OwnDetails />
      </section>
      <section className={styles.section} aria-label="Looks">
        <h2>Looks</h2>
        <Looks />
      </section>
      {PROFILE_SECTIONS.map(({ title, Section }) => (
        <section key={title} className={styles.section} aria-label={title}>
          <h2>{title}</h2>
          <Suspense fallback={null}>
            <Section />
          </Suspense>
        </section>
      ))}
    </div>
  );
}
