import { CONSOLE_KIND_TEXTS, CONSOLE_KINDS, type ConsoleKind } from '@keepwatch/contract/directory/console-kinds';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { consolePage, start } from '../entities/places.ts';
import { messageOf } from '../kit/api.ts';
import { useSession, useUser } from '../kit/portal.tsx';
import { ScreenLink, usePlaceParams } from '../kit/screen-link.tsx';
import { Notice } from '../kit/states/notice.tsx';
import { countClick } from './clicks.ts';
import { useSignOn } from './consoles.data.ts';

/** Leads on to a console in which the user has an account (specification "portal", part 4, single sign-on). */
export default function ConsoleScreen() {
  const { provider } = usePlaceParams(consolePage);
  const { sso } = useUser();
  const { own } = useSession() ?? {};
  const kind = CONSOLE_KINDS.find((known) => known === provider);
  return kind === undefined || !sso[kind] || own !== undefined ? (
    <NoAccount kind={kind} isActing={own !== undefined} />
  ) : (
    <OpenConsole kind={kind} />
  );
}

function NoAccount({ kind, isActing }: { kind: ConsoleKind | undefined; isActing: boolean }) {
  const name = kind === undefined ? 'that console' : CONSOLE_KIND_TEXTS[kind];
  return (
    <Notice
      title={isActing ? `Only the user opens ${name}` : `You have no account in ${name}`}
      text={
        isActing
          ? 'You are signed in as this user. Exit the account to open a console of your own.'
          : 'Ask an administrator of your portal to give you one.'
      }
    >
      <ScreenLink to={start.at()}>Go to the start page</ScreenLink>
    </Notice>
  );
}

/** The first click of a session only says what comes; the next ones ask the console. */
function OpenConsole({ kind }: { kind: ConsoleKind }) {
  const [isAnnounced, setAnnounced] = useState(false);
  const { mutate, data, error, isPending } = useSignOn(kind);
  const name = CONSOLE_KIND_TEXTS[kind];
  const open = () => (countClick(kind) ? setAnnounced(true) : mutate());
  if (data !== undefined)
    return (
      <Notice
        title={`${data.connectionName} knows your account`}
        text={
          data.isSignedIn
            ? `It opens signed in as ${data.account}. The link works once.`
            : `Its maker publishes no way to open it signed in: log in there as ${data.account}.`
        }
      >
        <Button component="a" href={data.url} target="_blank" rel="noopener noreferrer">
          Go to {data.connectionName}
        </Button>
        <ScreenLink to={start.at()}>Go to the start page</ScreenLink>
      </Notice>
    );
  return (
    <Notice
      isAlert={error !== null}
      title={`Open ${name}`}
      text={
        error !== null
          ? messageOf(error)
          : isAnnounced
            ? `${name} is outside of this portal, and is asked about your account there. Choose Open again to go on.`
            : 'You have an account there.'
      }
    >
      <Button loading={isPending} onClick={open}>
        {isAnnounced ? 'Open again' : 'Open'}
      </Button>
      <ScreenLink to={start.at()}>Go to the start page</ScreenLink>
    </Notice>
  );
}
