import { useBranding } from '../kit/portal.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { OutsideLink } from './outside-link.tsx';
import styles from './support.module.css';

/** Leads to the programs and papers that the brand offers. */
export function Downloads() {
  const { name, features, supportEmail } = useBranding();
  const { url } = features.supportSection.links.downloads;
  if (url === undefined)
    return (
      <EmptyState
        title="No downloads yet"
        text={`Ask ${supportEmail ?? `the support of ${name}`} for the programs that you need.`}
      />
    );
  return (
    <div className={styles.page}>
      <p className={styles.hint}>Backup agents, tools and guides of {name} open on a page of their own.</p>
      <OutsideLink url={url}>Open the downloads of {name}</OutsideLink>
    </div>
  );
}
