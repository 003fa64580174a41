import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { use } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { AnnouncedFeaturesContext } from '../../engine/define/page.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.tsx'
import { WordsPicker } from '../../engine/kinds/parts/WordsPicker.tsx'
import { ActionDialog, useToast } from '../../engine/parts/ActionDialog.tsx'
import { showOnce } from '../../engine/parts/ShownOnce.tsx'
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

/** Creates a token and shows it. */
export default function ApiTokenDialog({ role, onCreated, onClose }: ApiTokenDialogProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
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
        showOnce((close) => <CreatedToken {...created} onClose={close} />)
        onCreated()
        toast.show({
          key: 'app.toast.created',
          args: { what: translate('app.confirm.quoted', { name: created.name }) },
        })
      }}
      onClose={onClose}
    />
  )
}

interface CreatedTokenProps {
  name: string
  token: string
  onClose: () => void
}

/** A new token: the server sends it only once. */
function CreatedToken({ name, token, onClose }: CreatedTokenProps) {
  const translate = useTranslate()
  return (
    <ActionDialog title={translate('app.tokens.created')} width={560} onClose={() => {}}>
      <DialogContent dividers>
        <Alert severity="warning">{translate('app.tokens.shown_once')}</Alert>
        <p style={{ overflowWrap: 'anywhere' }}>
          <strong>{name}</strong>
        </p>
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

/** The scopes of a token that members can grant. */
const ScopesInput = (props: InputProps) => <WordsPicker {...props} words={useServerScopes()} required />

/** The scopes of a token that administrators can grant. */
const AdminScopesInput = (props: InputProps) => (
  <WordsPicker {...props} words={[...useServerScopes(), ...adminScopes]} required />
)

/** Servers that announce nothing know the scopes of the contract only. */
const useServerScopes = () => ((use(AnnouncedFeaturesContext)?.size ?? 0) > 0 ? tokenScopes : contractScopes)
