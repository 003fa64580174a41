import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { signInTexts } from '../../../../i18n/signInTexts.ts'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { useLocaleCode } from '../../../components/format/useLocaleCode.ts'
import { refusalText } from '../../../components/proof/proofRefusal.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { errorMessage } from '../../../domain/errors.ts'
import { PendingData } from '../../../engine/parts/PendingData.tsx'
import { secondFactorEndpoints as calls } from '../../../schemas/endpoints/secondFactorEndpoints.ts'
import { QrCode } from './QrCode.tsx'

interface AuthenticatorAppDialogProps {
  onAdded: (recoveryCodes: readonly string[] | undefined) => void
  onClose: () => void
}

/** Shows the secret as a picture and as text, and takes the first code of the app as proof that it has it. */
export function AuthenticatorAppDialog({ onAdded, onClose }: AuthenticatorAppDialogProps) {
  const translate = useTranslate()
  const locale = useLocaleCode()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['authenticator app', 'new'],
    queryFn: () => call(calls.startTotp),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // The secret that was scanned has to stay.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

  const refuse = (words: string) => {
    setFailure(words)
    input.current?.focus()
    input.current?.select()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!data || isBusy) return
    if (code.trim() === '') return refuse(signInTexts(locale).proof.required)
    setBusy(true)
    setFailure(undefined)
    try {
      const { recovery_codes } = await call(calls.addTotp, { state: data.state, code: code.trim() })
      onAdded(recovery_codes)
    } catch (problem) {
      refuse(refusalText(errorMessage(problem), locale))
      setBusy(false)
    }
  }

  return (
    <ActionDialog title={translate('app.second_factor.set_up_app')} width={520} onClose={onClose}>
      <form noValidate style={{ display: 'contents' }} onSubmit={(event) => void submit(event)}>
        <DialogContent dividers>
          <PendingData data={data} error={error} onRetry={refetch} />
          {data ? (
            <Steps>
              <li>{translate('app.second_factor.step_app')}</li>
              <li>
                {translate('app.second_factor.step_scan')}
                <QrCode text={data.uri} label={translate('app.second_factor.qr')} />
                <p>
                  {translate('app.second_factor.step_secret')}
                  <br />
                  <code>{data.secret}</code> <CopyButton text={data.secret} />
                </p>
              </li>
              <li>
                {translate('app.second_factor.step_code')}
                <TextField
                  label={translate('app.second_factor.code')}
                  value={code}
                  onChange={({ target }) => setCode(target.value)}
                  autoFocus
                  size="small"
                  margin="dense"
                  autoComplete="one-time-code"
                  inputRef={input}
                  error={failure !== undefined}
                  helperText={failure && translate(failure, { _: failure })}
                  slotProps={{
                    htmlInput: { inputMode: 'numeric', maxLength: 7 },
                    formHelperText: { role: 'alert' },
                  }}
                />
              </li>
            </Steps>
          ) : null}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
          <Button type="submit" variant="contained" loading={isBusy} disabled={!data}>
            {translate('app.second_factor.confirm')}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}

const Steps = styled('ol')(({ theme }) => ({
  margin: 0,
  paddingInlineStart: theme.spacing(2.5),
  '& > li + li': { marginTop: theme.spacing(1.5) },
  '& svg': { display: 'block', margin: theme.spacing(1, 0) },
  '& p': { margin: 0 },
  '& code': { fontFamily: theme.typography.fontFamilyMono, overflowWrap: 'anywhere' },
}))
