import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { use, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { AnnouncedFeaturesContext } from '../../engine/define/rights.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { WordsPicker } from '../../engine/kinds/parts/WordsPicker.tsx'
import { ActionDialog } from '../../engine/parts/ActionDialog.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import { newApiToken } from '../../schemas/account/apiToken.ts'
import { adminScopes, contractScopes, roles } from '../../schemas/define/access.ts'
import type { InputOf } from '../../schemas/define/endpoint.ts'
import { nezhaEndpoints } from '../../schemas/endpoints/nezhaEndpoints.ts'
import { tokenScopes } from '../../schemas/grantableScopes.ts'

interface ApiTokenDialogProps {
  role: number
  onCreated: () => void
  onClose: () => void
}

/** Creates a token and shows it: the server sends it only once. */
export default function ApiTokenDialog({ role, onCreated, onClose }: ApiTokenDialogProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [token, setToken] = useState<string>()
  if (token !== undefined) {
    return (
      <ActionDialog title={translate('app.tokens.created')} width={560} onClose={onClose}>
        <DialogContent dividers>
          <Alert severity="warning">{translate('app.tokens.shown_once')}</Alert>
          <p style={{ overflowWrap: 'anywhere' }}>
            <code>{token}</code> <CopyButton text={token} label={translate('app.tokens.copy')} />
          </p>
        </DialogContent>
        <DialogActions>
          <Button variant="contained" onClick={onClose}>
            {translate('app.action.close')}
          </Button>
        </DialogActions>
      </ActionDialog>
    )
  }
  return (
    <FormDialog
      title={translate('app.tokens.create')}
      entity={newApiToken}
      inputsByField={{ scopes: role === roles.admin ? AdminScopesInput : ScopesInput }}
      labelOf={(field) => translate(`app.tokens.fields.${field}`)}
      helpOf={(field) => translate(`app.tokens.help.${field}`)}
      submitLabel={translate('app.tokens.create')}
      onSubmit={async (values) => {
        const created = await call(
          nezhaEndpoints.createApiToken,
          values as InputOf<typeof nezhaEndpoints.createApiToken>,
        )
        setToken(created.token)
        onCreated()
        toast.show({
          key: 'app.toast.created',
          args: { what: translate('app.confirm.quoted', { name: created.name }) },
        })
      }}
      onDone={() => {}}
      onClose={onClose}
    />
  )
}

/** The scopes of a token that members can grant. */
const ScopesInput = (props: InputProps) => <WordsPicker {...props} words={useServerScopes()} required />

/** The scopes of a token that administrators can grant. */
const AdminScopesInput = (props: InputProps) => (
  <WordsPicker {...props} words={[...useServerScopes(), ...adminScopes]} required />
)

/** Servers that announce nothing know the scopes of the contract only. */
const useServerScopes = () => ((use(AnnouncedFeaturesContext)?.size ?? 0) > 0 ? tokenScopes : contractScopes)
