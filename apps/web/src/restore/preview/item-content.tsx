import type { ItemPreview } from '@keepwatch/contract/restore/previews';
import { messageOf } from '../../kit/api.ts';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';
import { formatBytes } from '../../kit/format/numbers.ts';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import { type Looked, usePicture } from './item-preview.data.ts';
import { MailBody } from './mail-body.tsx';
import { People } from './people.tsx';
import styles from './preview.module.css';

interface ItemContentProps {
  sessionId: string;
  of: Looked;
  preview: ItemPreview;
}

/** What is in an item: the body of a message, a card, a text, a picture; and what is known of it. */
export function ItemContent({ sessionId, of, preview }: ItemContentProps) {
  const { name, html, text, picture, isCut, facts, type } = preview;
  const isShown = html !== null || text !== null || picture !== null;
  return (
    <>
      <People preview={preview} />
      {type !== 'file' && <KnownFacts facts={facts} />}
      {html !== null && <MailBody html={html} name={name} />}
      {html === null && text !== null && <Text text={text} name={name} isFile={type === 'file'} />}
      {picture !== null && <Picture sessionId={sessionId} of={{ ...of, part: picture }} name={name} />}
      {!isShown && type === 'file' && (
        <p className={styles.note}>This kind of file has no preview here. Download it to open it.</p>
      )}
      {isCut && <p className={styles.note}>Only the beginning is shown. Download it to read all of it.</p>}
      {type === 'file' && <KnownFacts facts={facts} />}
    </>
  );
}

/** A text as it is, whatever it would be for a browser. It scrolls by the keyboard, too. */
function Text({ text, name, isFile }: { text: string; name: string; isFile: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={styles.text} aria-label={`Text: ${name}`} data-file={isFile || undefined} tabIndex={0}>
      <pre>{text === '' ? 'It is empty.' : text}</pre>
    </section>
  );
}

function Picture({ sessionId, of, name }: { sessionId: string; of: Looked & { part: string }; name: string }) {
  const { data, error } = usePicture(sessionId, of);
  if (error !== null) return <p className={styles.note}>{messageOf(error)}</p>;
  if (data === undefined) return <SkeletonRows rows={6} />;
  return <img className={styles.picture} src={data} alt={`Content of ${name}`} />;
}

function KnownFacts({ facts }: Pick<ItemPreview, 'facts'>) {
  if (facts.length === 0) return null;
  return (
    <Facts>
      {facts.map((fact) => (
        <Fact key={fact.name} term={fact.name}>
          {shownValue(fact)}
        </Fact>
      ))}
    </Facts>
  );
}

function shownValue({ value, type }: ItemPreview['facts'][number]): string {
  if (type === 'instant') return formatDateTime(value);
  return type === 'bytes' ? `${formatBytes(Number(value))} (${Number(value).toLocaleString('en-US')} bytes)` : value;
}
