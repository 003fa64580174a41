import Alert from '@mui/material/Alert'
import { useDataProvider, useTranslate } from 'react-admin'
import { FormDialog } from '../../components/FormDialog.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { Profile } from '../../schemas/account/profile.ts'
import { profileUpdate } from '../../schemas/account/profileUpdate.ts'
import type { InputOf } from '../../schemas/define/endpoint.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { signOutAfterChange } from '../../session/sessionGate.ts'

/**
 * Changes the user's name and password. The server replaces all fields and ends every session, so the sign-in page
 * follows.
 */
export default function UpdateProfileDialog({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { username, reject_password = false, oauth2_bind } = profile
  // Without an account at a provider the user could not sign in any more, and the server refuses that.
  const mayReject = reject_password || Object.keys(oauth2_bind ?? {}).length > 0
  return (
    <FormDialog
      title={translate('app.account.update')}
      entity={profileUpdate}
      values={{ new_username: username, reject_password }}
      without={mayReject ? [] : ['reject_password']}
      labelOf={(field) => translate(`app.account.fields.${field}`)}
      helpOf={(field) => translate(`app.account.help.${field}`)}
      submitLabel={translate('app.account.save_and_sign_out')}
      onSubmit={async (values) => {
        await call(endpoints.updateProfile, values as InputOf<typeof endpoints.updateProfile>)
        signOutAfterChange()
      }}
      onClose={onClose}
    >
      <Alert severity="warning">{translate('app.account.ends_sessions')}</Alert>
    </FormDialog>
  )
}
