import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { messageOf } from '../../kit/api.ts';
import { formatCounted } from '../../kit/format/numbers.ts';
import { SkeletonRows } from '../../kit/states/skeleton-rows.tsx';
import type { Looked } from './item-preview.data.ts';
import styles from './preview.module.css';
import { useThread } from './thread.data.ts';
import { threadDocument } from './thread-document.ts';

/** What its conversation is called, by the type of the message that is open. */
const TITLES: Readonly<Record<string, string>> = {
  post: 'Replies',
  reply: 'Thread',
  'chat-message': 'Conversation',
};

export const isInThread = (type: string) => TITLES[type] !== undefined;

interface ThreadProps {
  sessionId: string;
  of: Looked;
  type: string;
}

/** What was said around the open message: of a post its replies. A long conversation is shown piece by piece. */
export function Thread({ sessionId, of, type }: ThreadProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useThread(sessionId, of);
  const messages = useMemo(() => {
    const read = (data?.pages ?? []).flatMap((page) => page.data);
    return type === 'post' ? read.filter(({ id }) => id !== of.itemId) : read;
  }, [data, type, of.itemId]);
  const document = useMemo(() => threadDocument(messages, of.itemId), [messages, of.itemId]);
  const title = TITLES[type] ?? '';
  const isMore = hasNextPage && error === null;
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>{title}</h3>
      {data === undefined && error === null && <SkeletonRows rows={3} />}
      {messages.length > 0 && (
        <iframe
          className={styles.frame}
          data-few={messages.length < FEW || undefined}
          sandbox=""
          title={`${title}: ${formatCounted(messages.length, 'message', 'messages')}`}
          srcDoc={document}
          referrerPolicy="no-referrer"
        />
      )}
      {data !== undefined && messages.length === 0 && !hasNextPage && <p className={styles.note}>No replies.</p>}
      {isMore && (
        <Button variant="subtle" size="compact-sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
      {error !== null && (
        <p className={styles.note} role="alert">
          {messageOf(error)}{' '}
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => void (data === undefined ? refetch() : fetchNextPage())}
          >
            Try again
          </Button>
        </p>
      )}
    </section>
  );
}

/** So few messages need no window of their own height. */
const FEW = 4;
