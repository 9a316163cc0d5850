import type { OrganizationDraft } from './organization-draft.ts';
import styles from './organization-wizard.module.css';
import { permissionsFor } from './permissions.ts';

/** What each permission of the applications is for. */
export function PermissionList({ draft }: { draft: OrganizationDraft }) {
  return (
    <details className={styles.permissions}>
      <summary>What the applications may do, and why</summary>
      {permissionsFor(draft).map(({ title, permissions }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {permissions.map(({ name, purpose }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{purpose}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </details>
  );
}
