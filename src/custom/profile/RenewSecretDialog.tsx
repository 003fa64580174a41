import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { ActionDialog, RetryAlert, useToast } from '../../engine/parts/ActionDialog.tsx'
import { useDialogOrder } from '../../engine/parts/useDialogOrder.ts'
import { agentSecretEndpoints } from '../../schemas/endpoints/agentSecretEndpoints.ts'

interface RenewSecretDialogProps {
  onRenewed: () => void
  onClose: () => void
}

/** Asks before the agent secret is renewed, and lists the servers whose agents lose their connection. */
export default function RenewSecretDialog({ onRenewed, onClose }: RenewSecretDialogProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const { isSending, isHeld, send } = useDialogOrder()
  const { data, error, refetch } = useQuery({
    queryKey: ['agents', 'own'],
    queryFn: () => call(agentSecretEndpoints.agentsOfSecret),
    // The list of servers is fetched before each renewal.
    gcTime: 0,
  })

  const renew = async () => {
    await call(agentSecretEndpoints.renewAgentSecret)
    toast.show({ key: 'app.account.secret_renewed' })
    onRenewed()
  }

  return (
    <ActionDialog title={translate('app.account.renew_secret')} onClose={isHeld ? () => {} : onClose} width={480}>
      <DialogContent>
        {error ? <RetryAlert error={error} onRetry={refetch} /> : null}
        {!data && !error ? <CircularProgress size={24} aria-label={translate('app.list.loading')} /> : null}
        {data ? translate(`app.account.${data.length > 0 ? 'renew_secret_hint' : 'renew_secret_unused'}`) : null}
        {data && data.length > 0 ? (
          <ul style={{ maxHeight: 240, overflow: 'auto', overflowWrap: 'anywhere' }}>
            {data.map(({ server_id, name }) => (
              <li key={server_id}>{name}</li>
            ))}
          </ul>
        ) : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={isHeld}>
          {translate('app.action.cancel')}
        </Button>
        <Button
          color="error"
          variant="contained"
          loading={isSending}
          disabled={!data}
          onClick={() => void send(renew, onClose)}
        >
          {translate('app.account.renew_secret')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
