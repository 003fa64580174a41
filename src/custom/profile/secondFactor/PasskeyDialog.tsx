import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import TextField from '@mui/material/TextField'
import { type FormEvent, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { signInTexts } from '../../../../i18n/signInTexts.ts'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { useLocaleCode } from '../../../components/format/useLanguage.ts'
import { createPasskey } from '../../../components/proof/browserPasskeys.ts'
import { refusalText } from '../../../components/proof/proofRefusal.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { errorMessage } from '../../../domain/errors.ts'
import { secondFactorEndpoints as calls, passkeyNameLength } from '../../../schemas/endpoints/secondFactorEndpoints.ts'

interface PasskeyDialogProps {
  onAdded: (recoveryCodes: readonly string[] | undefined) => void
  onClose: () => void
}

/** Makes a passkey in this browser, or on a key or phone that it reaches, under a name to recognize it by. */
export function PasskeyDialog({ onAdded, onClose }: PasskeyDialogProps) {
  const translate = useTranslate()
  const locale = useLocaleCode()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [name, setName] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function create() {
    const { passkey, challenge } = await call(calls.startPasskey)
    const result = await createPasskey(passkey)
    if (typeof result === 'string') {
      const { cancelled, failures } = signInTexts(locale).proof
      const known = translate('app.second_factor.passkey_known')
      throw new Error({ cancelled, known, failed: failures.passkey }[result])
    }
    return call(calls.addPasskey, { name: name.trim(), challenge, response: result.response })
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || name.trim() === '') return
    setBusy(true)
    setFailure(undefined)
    try {
      onAdded((await create()).recovery_codes)
    } catch (problem) {
      setFailure(refusalText(errorMessage(problem), locale))
      setBusy(false)
    }
  }

  return (
    <ActionDialog title={translate('app.second_factor.add_passkey')} width={520} onClose={onClose}>
      <form noValidate style={{ display: 'contents' }} onSubmit={(event) => void submit(event)}>
        <DialogContent dividers>
          <p style={{ margin: '0 0 16px' }}>{translate('app.second_factor.passkey_why')}</p>
          <TextField
            label={translate('app.second_factor.passkey_name')}
            helperText={translate('app.second_factor.passkey_name_help')}
            value={name}
            onChange={({ target }) => setName(target.value)}
            autoFocus
            fullWidth
            size="small"
            slotProps={{ htmlInput: { maxLength: passkeyNameLength } }}
          />
          {failure ? (
            <Alert severity="error" sx={{ marginTop: 2 }}>
              {translate(failure, { _: failure })}
            </Alert>
          ) : null}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
          <Button type="submit" variant="contained" loading={isBusy} disabled={name.trim() === ''}>
            {translate('app.second_factor.create_passkey')}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}
