import { useDataProvider, useTranslate } from 'react-admin'
import { z } from 'zod'
import { FormDialog } from '../../components/FormDialog.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useToast } from '../../engine/parts/ActionDialog.tsx'
import { defineEntity } from '../../schemas/define/entity.ts'
import { line, secret } from '../../schemas/define/fields.ts'
import { directoryEndpoints } from '../../schemas/endpoints/directoryEndpoints.ts'

/** As `bindDirectory` takes them. */
const form = z.object({ username: line(256).min(1), password: secret().min(1).max(1024) })
const credentials = defineEntity({ name: 'directory-binding', form, api: { verbs: [] } })

interface BindDirectoryDialogProps {
  /** The name of the directory. */
  provider: string
  /** Loads the profile again. */
  onBound: () => Promise<unknown>
  onClose: () => void
}

/** Asks for the name and the password that somebody has in a directory, and binds the account. */
export default function BindDirectoryDialog({ provider, onBound, onClose }: BindDirectoryDialogProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const labels: Readonly<Record<string, string>> = {
    username: translate('app.account.username'),
    password: translate('resources.user.fields.password'),
  }
  return (
    <FormDialog
      title={translate('app.account.bind_named', { provider })}
      entity={credentials}
      labelOf={(field) => labels[field] ?? field}
      helpOf={() => ''}
      submitLabel={translate('app.account.bind')}
      onSubmit={async (values) => {
        await call(directoryEndpoints.bindDirectory, { provider, ...form.parse(values) })
        void onBound()
        toast.show({ key: 'app.account.bound', args: { provider } })
      }}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>{translate('app.account.bind_directory_hint')}</p>
    </FormDialog>
  )
}
