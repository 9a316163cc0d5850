import { EngineError } from '../../../model/engine-error.ts';
import type { SourceEvent } from '../../source.ts';
import { SignInError } from '../identity.ts';
import { textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import type { SharePointSite } from '../sharepoint/sharepoint.ts';
import type { SiteParts } from './site-parts.ts';

const NO_CERTIFICATE = 'SharePoint gives them to applications with a certificate alone, and this one has a secret.';

/** What the application may not have, such as for lack of a permission or a certificate: that is reported once a run, and is no failure. */
export class NotGiven extends Error {}

/**
 * A site by SharePoint's own interface, for what Graph does not give out. No refusal of it ends the reading of the site: Graph's part of it is read
 * all the same.
 */
export class OwnInterface {
  private readonly reading: Reading;
  private readonly webUrl: string | undefined;
  private opening: Promise<SharePointSite> | null = null;

  constructor(reading: Reading, { site }: Pick<SiteParts, 'site'>) {
    this.reading = reading;
    this.webUrl = textOf(site['webUrl']);
  }

  /** @throws NotGiven, or an EngineError that is of this part alone; what stops the reading as it is */
  async use<T>(work: (site: SharePointSite) => Promise<T>): Promise<T> {
    const { sharePoint } = this.reading.connection;
    if (sharePoint === null) throw new NotGiven(NO_CERTIFICATE);
    try {
      this.opening ??= sharePoint.site(this.webUrl);
      return await work(await this.opening);
    } catch (error) {
      this.reading.request.signal.throwIfAborted();
      throw ofThisPart(error);
    }
  }

  /** The same bytes, whose failure is one of their item. */
  async *bytes(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      const site = await this.use(async (one) => one);
      yield* site.download(path, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof NotGiven ? refusal(error.message, error) : ofThisPart(error);
    }
  }

  /**
   * Reports what is not read: an alert where the application may not have it, and never had; a failure where it was read before, or for another reason.
   * @param what `the files attached to rows of ‘Inventory’`
   * @param permission of SharePoint that is needed
   */
  async notRead(what: string, permission: string, wasRead: boolean, error: unknown): Promise<SourceEvent> {
    const { request, failures } = this.reading;
    if (!(error instanceof NotGiven)) return failures.partFailed(what, error);
    if (wasRead) return failures.partFailed(what, refusal(error.message, error));
    const message = `Of ${request.object.name} ${what} are not backed up: ${error.message} Needed are a certificate and the application permission ${permission} of SharePoint, which is another than that of Microsoft Graph.`;
    return { type: 'alert', alert: { code: 'sharepoint-not-readable', message } };
  }
}

function ofThisPart(error: unknown): unknown {
  if (error instanceof NotGiven || !(error instanceof EngineError) || error.code === 'stopped') return error;
  if (
    error instanceof SignInError ||
    ['consent-missing', 'credentials-refused', 'certificate-expired'].includes(error.code)
  )
    return new NotGiven(error.message);
  if (error.code !== 'source-unreachable') return error;
  return refusal(error.message, error);
}

const refusal = (message: string, cause: Error) =>
  new EngineError('source-refused', message, { cause, isRetryable: true });
