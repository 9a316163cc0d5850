import { editSignInRules } from '@keepwatch/contract/identity/sign-in-rules';
import { FlagField } from '../../kit/form/choice-fields.tsx';
import { Form, SubmitButton } from '../../kit/form/form.tsx';
import { useCallForm } from '../../kit/form/use-call-form.ts';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { IdentityProviders } from '../single-sign-on/identity-providers.tsx';
import styles from './second-factors.module.css';
import { useEditSignInRules, useSignInRules } from './sign-in-rules.data.ts';

/** What the provider asks of all its users at the sign-in. */
export default function SignInRulesScreen() {
  const { data, error, refetch } = useSignInRules();
  return (
    <div className={styles.page} aria-busy={data === undefined && error === null}>
      {data !== undefined && <RulesForm rules={data} />}
      {data === undefined && error !== null && (
        <ErrorState error={error} what="the rules of the sign-in" onRetry={() => void refetch()} />
      )}
      <IdentityProviders />
    </div>
  );
}

function RulesForm({ rules }: { rules: { requiresSecondFactor: boolean } }) {
  const form = useCallForm(editSignInRules, { initial: rules, send: useEditSignInRules().mutateAsync });
  return (
    <Form form={form} actions={<SubmitButton form={form}>Save</SubmitButton>}>
      <FlagField
        form={form}
        name="requiresSecondFactor"
        label="Require a second factor"
        description="Users who have none add one at their next sign-in, after the password and before anything else."
      />
    </Form>
  );
}
