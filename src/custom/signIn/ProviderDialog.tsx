import { useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { FormDialog } from '../../components/FormDialog.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useToast } from '../../engine/parts/ActionDialog.tsx'
import type { SignInKind, SignInProviderForm } from '../../schemas/account/signInProvider.ts'
import type { Values } from '../../schemas/define/values.ts'
import { type StoredSignInProvider, signInProviderEndpoints } from '../../schemas/endpoints/signInProviderEndpoints.ts'
import { formEntity, formFrom, valuesOf } from './providerKinds.ts'
import TestDialog from './TestDialog.tsx'

interface ProviderDialogProps {
  kind: SignInKind
  /** Left out: a new one. */
  provider?: StoredSignInProvider
  /** Loads the list again. */
  onSaved: () => void
  onClose: () => void
}

/** Makes or changes a provider, by the form of its kind. */
export default function ProviderDialog({ kind, provider, onSaved, onClose }: ProviderDialogProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const name = translate(`app.sign_in.kinds.${kind}`)
  const hasSecret = provider?.has_secret === true
  const [tested, setTested] = useState<SignInProviderForm>()
  const formOf = (values: Values) => formFrom(kind, values, provider?.groups ?? [])
  return (
    <>
      <FormDialog
        title={provider?.name ?? translate('app.sign_in.add', { kind: name })}
        entity={formEntity(kind)}
        values={provider && valuesOf(provider)}
        // A proxy has none: it is known by its address.
        without={kind === 'proxy' ? ['secret', 'clear_secret'] : hasSecret ? [] : ['clear_secret']}
        labelOf={(field) =>
          translate(`app.sign_in.fields.${kind === 'ldap' && field === 'secret' ? 'ldap_secret' : field}`)
        }
        // Not every field needs words beside its name.
        helpOf={(field) => {
          if (field === 'secret') return hasSecret ? translate('app.form.stored_secret') : ''
          return translate(`app.sign_in.help.${field}`, { _: '' })
        }}
        submitLabel={translate('ra.action.save')}
        further={{ label: translate('app.sign_in.test'), onClick: (values) => setTested(formOf(values)) }}
        onSubmit={async (values) => {
          const form = formOf(values)
          if (provider) await call(signInProviderEndpoints.updateSignInProvider, { id: provider.id, ...form })
          else await call(signInProviderEndpoints.createSignInProvider, form)
          onSaved()
          const what = translate('app.confirm.quoted', { name: form.name })
          toast.show({ key: provider ? 'app.toast.updated' : 'app.toast.created', args: { what } })
        }}
        onClose={onClose}
      />
      {tested ? <TestDialog form={tested} id={provider?.id} onClose={() => setTested(undefined)} /> : null}
    </>
  )
}
