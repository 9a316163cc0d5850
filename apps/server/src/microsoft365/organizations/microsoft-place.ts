import type { Region } from '@keepwatch/contract/microsoft365/organizations';
import { type Cloud, type GraphOptions, openSend } from '@keepwatch/engine/engine';
import type { Settings } from '../../foundation/settings.ts';

/** Where Microsoft is reached; empty: at its own addresses. */
export interface MicrosoftAddresses {
  loginUrl: string;
  graphUrl: string;
  sharePointUrl: string;
  /** The public client with which administrators sign in. */
  signInClientId: string;
}

export function microsoftOf(settings: Settings): MicrosoftAddresses {
  return {
    loginUrl: settings.MICROSOFT_LOGIN_URL,
    graphUrl: settings.MICROSOFT_GRAPH_URL,
    sharePointUrl: settings.MICROSOFT_SHAREPOINT_URL,
    signInClientId: settings.MICROSOFT_SIGN_IN_CLIENT_ID,
  };
}

const CLOUD_OF: Readonly<Record<Region, Cloud>> = {
  Worldwide: 'worldwide',
  USGovernment: 'usgov',
  USDefence: 'dod',
  China: 'china',
};

export type MicrosoftPlace = Omit<GraphOptions, 'tenantId' | 'applications'>;

/** Options of connections to tenants of a region. */
export function placeOf({ loginUrl, graphUrl, sharePointUrl }: MicrosoftAddresses, region: Region): MicrosoftPlace {
  return {
    cloud: CLOUD_OF[region],
    ...(loginUrl !== '' && { loginUrl }),
    ...(graphUrl !== '' && { graphUrl }),
    ...(sharePointUrl !== '' && { sharePointUrl }),
  };
}

/** Attempts while a person waits for the answer: a second or two, and then they are asked to try again. */
const ATTEMPTS_MAX = 3;
const sends = new WeakMap<MicrosoftAddresses, ReturnType<typeof openSend>>();

/** The same for what a person waits for: few attempts, over connections that all of them share. */
export async function interactivePlace(microsoft: MicrosoftAddresses, region: Region): Promise<MicrosoftPlace> {
  const own = [microsoft.loginUrl, microsoft.graphUrl, microsoft.sharePointUrl].filter((url) => url !== '');
  const send = sends.get(microsoft) ?? openSend(own.map((url) => new URL(url).hostname));
  sends.set(microsoft, send);
  return { ...placeOf(microsoft, region), send: await send, attemptsMax: ATTEMPTS_MAX };
}
