import Alert from '@mui/material/Alert'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider, useTranslate } from 'react-admin'
import { ActionDialog } from '../../components/ActionDialog.tsx'
import { PlainTable } from '../../components/PlainTable.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { CloseFooter } from '../../engine/parts/CloseFooter.tsx'
import { PendingData } from '../../engine/parts/PendingData.tsx'
import { type StoredSignInProvider, signInProviderEndpoints } from '../../schemas/endpoints/signInProviderEndpoints.ts'
import { storedForm } from './providerKinds.ts'

interface TestDialogProps {
  provider: StoredSignInProvider
  onClose: () => void
}

/** Asks a stored provider, and shows what it answered. */
export default function TestDialog({ provider, onClose }: TestDialogProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error, refetch } = useQuery({
    queryKey: ['sign-in provider test', provider.id],
    queryFn: () =>
      call(signInProviderEndpoints.testSignInProvider, { id: provider.id, provider: storedForm(provider) }),
    gcTime: 0,
    retry: false,
  })
  return (
    <ActionDialog title={`${translate('app.sign_in.test')}: ${provider.name}`} width={640} onClose={onClose}>
      <DialogContent dividers>
        <PendingData data={data} error={error} onRetry={refetch} />
        {data ? (
          <Alert severity={data.failure ? 'error' : 'success'} sx={{ marginBottom: 2 }}>
            {data.failure ?? translate('app.sign_in.test_ok')}
          </Alert>
        ) : null}
        {data && data.answers.length > 0 ? (
          <PlainTable
            headings={['', translate('app.sign_in.answer')]}
            rows={data.answers.map(({ name, value }) => ({
              key: name,
              cells: [<code key="name">{name}</code>, value],
            }))}
          />
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
