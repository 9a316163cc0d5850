import type { Looked } from '../preview/item-preview.data.ts';
import styles from './lifeline.module.css';
import { Lifeline } from './lifeline.tsx';
import { useVersions } from './versions.data.ts';

/** The lifeline of an item that is looked at; its room is there from the beginning. Without it the rest of the item is shown all the same. */
export default function ItemLifeline({ sessionId, of }: { sessionId: string; of: Looked }) {
  const { data, error } = useVersions(sessionId, of);
  if (error !== null) return <p className={styles.failed}>When it was there could not be read.</p>;
  if (data === undefined) return <div className={styles.waiting} />;
  return <Lifeline versions={data.data} {...data} />;
}
