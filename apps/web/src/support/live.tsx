import { Button } from '@mantine/core';
import { messageOf } from '../kit/api.ts';
import { useBranding } from '../kit/portal.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { useChatToken } from './support.data.ts';
import styles from './support.module.css';

/** The chat of the brand. Nothing of it is loaded before the user asks for it. */
export function LiveSupport() {
  const { name, features, supportEmail } = useBranding();
  const { url } = features.supportSection.links.live;
  const { mutate, data: token, error, isPending } = useChatToken();
  if (url === undefined)
    return <EmptyState title="No live chat" text={`Write to ${supportEmail ?? `the support of ${name}`} instead.`} />;
  if (token !== undefined) return <Chat url={url} token={token} name={name} />;
  return (
    <div className={styles.page}>
      <p className={styles.hint}>
        The chat is at {new URL(url).host}. When you start it, it gets your name and e-mail address from the portal.
      </p>
      {error !== null && (
        <p className={styles.error} role="alert">
          {messageOf(error)}
        </p>
      )}
      <div>
        <Button loading={isPending} onClick={() => mutate()}>
          Start chat
        </Button>
      </div>
    </div>
  );
}

/** What is behind `#` stays in the browser: no server, and no log of one, gets the token with the address. */
function Chat({ url, token, name }: { url: string; token: string; name: string }) {
  const address = new URL(url);
  address.hash = `identity=${token}`;
  return (
    <iframe
      className={styles.chat}
      title={`Chat with ${name}`}
      src={address.href}
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads"
      referrerPolicy="no-referrer"
    />
  );
}
