import type { ItemPreview } from '@keepwatch/contract/restore/previews';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { formatDateTime } from '../../kit/format/dates.ts';

const KINDS = { to: 'To', cc: 'Cc', bcc: 'Bcc' } as const;

/** Who wrote it to whom, and when. */
export function People({ preview: { from, recipients, sentAt, receivedAt } }: { preview: ItemPreview }) {
  if (from === null && recipients.length === 0 && sentAt === null && receivedAt === null) return null;
  return (
    <Facts hidesUnknown>
      <Fact term="From">{from === null ? null : personText(from)}</Fact>
      {(['to', 'cc', 'bcc'] as const).map((kind) => {
        const people = recipients.filter((recipient) => recipient.kind === kind);
        return (
          <Fact key={kind} term={KINDS[kind]}>
            {people.length === 0 ? null : people.map(personText).join(', ')}
          </Fact>
        );
      })}
      <Fact term="Sent">{sentAt === null ? null : formatDateTime(sentAt)}</Fact>
      <Fact term="Received">{receivedAt === null ? null : formatDateTime(receivedAt)}</Fact>
    </Facts>
  );
}

function personText({ name, address }: { name: string | null; address: string | null }): string {
  if (name === null || name === address) return address ?? '';
  return address === null ? name : `${name} <${address}>`;
}
