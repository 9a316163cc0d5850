import {
  listOrganizations,
  readOrganization,
  renewCertificate,
  requestApplicationDeviceCode,
} from '@keepwatch/contract/microsoft365/organizations';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../../testing/answers.ts';
import { buildId, buildUser } from '../../testing/builders.ts';
import { openPortal } from '../../testing/open-portal.tsx';
import { buildOrganization } from '../testing/builders.ts';

const path = `/o365/organizations/certificate/${buildId(1)}/${buildId(10)}`;
const user = buildUser({ roles: ['o365_admin'] });
const organization = buildOrganization(10, { name: 'Contoso', certificateDaysLeft: 12 });
const code = {
  userCode: 'ABCD-EFGH',
  verificationUrl: 'https://microsoft.com/devicelogin',
  expiresIn: 900,
  interval: 0,
};

function open() {
  const answers = createAnswers()
    .on(readOrganization, { success: true, data: organization })
    .on(listOrganizations, { success: true, count: 1, data: [organization] })
    .on(requestApplicationDeviceCode, { success: true, data: { ...code, message: '' } })
    .refuse(renewCertificate, 409, { code: 'DEVICE_CODE_PENDING', message: 'not yet' });
  return openPortal({ path, user, answers });
}

test('renews the certificate once the code was entered', async () => {
  const { page, answers, address } = open();
  await page.findByText('ABCD-EFGH');
  page.getByText('12 days left');
  await waitFor(() => expect(answers.asked(renewCertificate).length).toBeGreaterThan(1));
  expect(page.queryByText('not yet')).toBeNull();
  answers.on(renewCertificate, { success: true, data: { ...organization, certificateDaysLeft: 365 } });
  await page.findByText('The certificate of Contoso has been renewed.');
  expect(address()).toBe(`/o365/organizations?open=${buildId(10)}`);
  expect(answers.asked(renewCertificate)[0]?.body).toEqual({
    companyId: buildId(1),
    organizationId: buildId(10),
    userCode: 'ABCD-EFGH',
  });
});

test('says why a certificate cannot be renewed', async () => {
  const { page, answers } = open();
  const message = 'The account is no administrator of the tenant.';
  answers.refuse(renewCertificate, 409, { code: 'ADMINISTRATOR_REQUIRED', message });
  await page.findByText(message);
});
