import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { ActionDialog } from '../../engine/parts/ActionDialog.tsx'
import { RetryAlert } from '../../engine/parts/RetryAlert.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
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
  const [isBusy, setBusy] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['agents', 'own'],
    queryFn: () => call(agentSecretEndpoints.agentsOfSecret),
    // The list of servers is fetched before each renewal.
    gcTime: 0,
  })

  async function renew(): Promise<void> {
    setBusy(true)
    try {
      await call(agentSecretEndpoints.renewAgentSecret)
      toast.show({ key: 'app.account.secret_renewed' })
      onRenewed()
      onClose()
    } catch (failure) {
      toast.showError(failure)
      setBusy(false)
    }
  }

  return (
    <ActionDialog title={translate('app.account.renew_secret')} onClose={onClose} width={480}>
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
        <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
        <Button color="error" variant="contained" loading={isBusy} disabled={!data} onClick={() => void renew()}>
          {translate('app.account.renew_secret')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
