import { editProfile } from '@keepwatch/contract/identity/sessions';
import { ChoiceField } from '../../kit/form/choice-fields.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { PasswordField, TextField } from '../../kit/form/text-fields.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { useUser } from '../../kit/portal.tsx';
import { labelOf } from '../../kit/screen.ts';
import { useOpenBeginnings } from '../../kit/use-screens.ts';
import { useEditProfile } from './profile.data.ts';

/** Name, address, phones, and where the portal begins. */
export function OwnDetails() {
  // Another address took the password, of which nothing may be left.
  return <Details key={useUser().email} />;
}

function Details() {
  const user = useUser();
  const { landingApp } = user;
  const form = useCallForm(editProfile, {
    initial: {
      username: user.username,
      name: user.name,
      email: user.email,
      mobilePhone: user.mobilePhone ?? '',
      officePhone: user.officePhone ?? '',
      landingPage: landingApp?.page ?? '',
      password: '',
    },
    secrets: ['password'],
    toBody: ({ mobilePhone, officePhone, landingPage, password, ...details }) => ({
      ...details,
      mobilePhone: orNull(mobilePhone),
      officePhone: orNull(officePhone),
      landingApp: landingPage === '' ? null : { page: landingPage },
      ...(password === '' ? {} : { password }),
    }),
    send: useEditProfile().mutateAsync,
  });
  const isPasswordNeeded = user.hasPassword && user.authType === 'db' && form.values.email.trim() !== user.email;
  return (
    <Form form={form} actions={<SubmitButton form={form}>Save</SubmitButton>}>
      <TextField form={form} name="username" label="User name" autoComplete="username" />
      <TextField form={form} name="name" label="Full name" autoComplete="name" />
      <TextField form={form} name="email" label="E-mail" type="email" autoComplete="email" />
      {isPasswordNeeded && (
        <PasswordField
          form={form}
          name="password"
          label="Current password"
          description="Links to set a new password are mailed to this address"
          autoComplete="current-password"
          required
        />
      )}
      <TextField form={form} name="mobilePhone" label="Mobile phone" type="tel" autoComplete="tel" />
      <TextField form={form} name="officePhone" label="Office phone" type="tel" autoComplete="tel" />
      <ChoiceField form={form} name="landingPage" label="Begin with" choices={useLandingPages()} />
    </Form>
  );
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

/** Every page of the sidebars that is open to the user. */
function useLandingPages() {
  const pages = useOpenBeginnings();
  return [
    { value: '', label: 'The first page that is open to you' },
    ...pages.map((screen) => ({ value: screen.path, label: `${screen.application?.name}: ${labelOf(screen)}` })),
  ];
}
