import styles from './linked-text.module.css';

/** An address up to what ends the sentence around it. Nothing but http and https becomes a link. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]])/i;

/** A text that a person wrote: its line breaks stay, and addresses in it open beside the portal. */
export function LinkedText({ text }: { text: string }) {
  const parts = text.split(ADDRESS);
  return (
    <p className={styles.text}>
      {parts.map((part, place) =>
        place % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text of which nothing moves
          <a key={place} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        ),
      )}
    </p>
  );
}
