import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { id, nameText, text } from '../wire/fields.ts';
import { itemOf } from '../wire/replies.ts';
import { checked, organizationDetail } from './organizations.ts';

/** Further applications of an organization: Microsoft limits each of them separately, so that several back up faster than one. */

const access = 'o365.organizations' as const;

export const addApplication = declareCall({
  method: 'POST',
  path: '/o365/organizations/{organizationId}/applications',
  access,
  audit: 'organization.add-application',
  params: z.strictObject({ organizationId: id }),
  body: z.strictObject({
    /** The code that was entered at Microsoft: a new application is made with that sign-in, under this name. */
    userCode: z.optional(text(50)),
    name: z.optional(nameText(120)),
    /** Or one that is there, with a secret, or with its certificate and private key as PEM. */
    applicationId: z.optional(text(100)),
    applicationSecret: z.optional(text(1_000)),
    applicationCertificate: z.optional(text(20_000)),
  }),
  ...itemOf(organizationDetail, checked),
  failure: 'The application could not be added. Try again later.',
  summary:
    'Adds an application that backs up beside the others: they share the work. With a code that was not entered yet it answers 409 `DEVICE_CODE_PENDING`.',
});

export const checkApplication = declareCall({
  method: 'POST',
  path: '/o365/organizations/{organizationId}/applications/{applicationId}/check',
  access,
  audit: null, // It reads, and asks Microsoft
  params: z.strictObject({ organizationId: id, applicationId: text(100) }),
  ...itemOf(organizationDetail, checked),
  failure: 'The application could not be checked. Try again later.',
  summary: 'Asks Microsoft once more what an application of the organization may, after permissions were granted.',
});

export const removeApplication = declareCall({
  method: 'DELETE',
  path: '/o365/organizations/{organizationId}/applications/{applicationId}',
  access,
  audit: 'organization.remove-application',
  params: z.strictObject({ organizationId: id, applicationId: text(100) }),
  ...itemOf(organizationDetail),
  failure: 'The application could not be removed. Try again later.',
  summary:
    'Backs up without an application from now on. Its registration stays in the tenant. The one that the organization is connected with is replaced by an edit instead.',
});
