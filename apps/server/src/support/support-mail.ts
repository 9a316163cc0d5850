import { VERSION } from '../branding/brands.ts';
import { oneLine } from '../foundation/one-line.ts';
import type { StoredRequest } from './support-requests.ts';

/** Whose request it is, and where it was made. */
interface Origin {
  brand: string;
  provider: string;
  /** The address of the portal, without the page. */
  portal: string;
}

/** Returns what the support reads: the request, and what it would otherwise have to ask for. */
export function supportMailOf(request: StoredRequest, origin: Origin): { subject: string; text: string } {
  return {
    subject: subjectOf(request, origin),
    text: [request.message.trim(), '', '-- ', ...factsOf(request, origin)].join('\n'),
  };
}

/** Returns the copy for the one who asked, with the same text. */
export function copyMailOf(request: StoredRequest, origin: Origin): { subject: string; text: string } {
  const { text } = supportMailOf(request, origin);
  const lead = `This is a copy of what you wrote to the support of ${oneLine(origin.brand)}.`;
  return { subject: `Copy: ${subjectOf(request, origin)}`, text: [lead, '', text].join('\n') };
}

function subjectOf({ subject }: StoredRequest, { brand }: Origin): string {
  return oneLine(`[${brand}] ${subject}`);
}

function factsOf(request: StoredRequest, { provider, portal }: Origin): string[] {
  const { name, username, email, companies, page, browser, createdAt } = request;
  return [
    `From: ${oneLine(name)} ${email === '' ? '(no e-mail address)' : `<${oneLine(email)}>`}, user name ${oneLine(username)}`,
    `Company: ${companies === null ? 'all companies' : companies.map(oneLine).join(', ') || 'none'}`,
    `Provider: ${oneLine(provider)}`,
    `Page: ${page === null ? 'not given' : new URL(page, portal).href}`,
    `Version: ${VERSION}`,
    `Browser: ${oneLine(browser ?? 'not given')}`,
    `Sent: ${new Date(createdAt).toISOString()}`,
  ];
}
