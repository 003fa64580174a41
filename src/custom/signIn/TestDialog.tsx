import Alert from '@mui/material/Alert'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider, useTranslate } from 'react-admin'
import { PlainTable } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { ActionDialog, CloseFooter, PendingData } from '../../engine/parts/ActionDialog.tsx'
import type { SignInProviderForm } from '../../schemas/account/signInProvider.ts'
import { signInProviderEndpoints } from '../../schemas/endpoints/signInProviderEndpoints.ts'

interface TestDialogProps {
  /** What the provider is, or would be when it is saved. */
  form: SignInProviderForm
  /** The id of the stored one, whose secret counts where the form has none. */
  id?: number
  onClose: () => void
}

/** Asks a provider, and shows what it answered. */
export default function TestDialog({ form, id, onClose }: TestDialogProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error, refetch } = useQuery({
    queryKey: ['sign-in provider test', id],
    queryFn: () => call(signInProviderEndpoints.testSignInProvider, { id, provider: form }),
    gcTime: 0,
    retry: false,
  })
  return (
    <ActionDialog title={`${translate('app.sign_in.test')}: ${form.name}`} width={640} onClose={onClose}>
      <DialogContent dividers>
        <PendingData data={data} error={error} onRetry={refetch} />
        {data ? (
          <Alert severity={data.failure ? 'error' : 'success'} sx={{ marginBottom: 2 }}>
            {translate(data.failure ?? 'app.sign_in.test_ok')}
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
