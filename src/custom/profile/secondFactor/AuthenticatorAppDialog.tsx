import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { generate } from 'lean-qr'
import { type FormEvent, useMemo, useRef, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { signInTexts } from '../../../../i18n/signInTexts.ts'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { useLocaleCode } from '../../../components/format/useLanguage.ts'
import { refusalText } from '../../../components/proof/proofRefusal.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { errorMessage } from '../../../domain/errors.ts'
import { PendingData } from '../../../engine/parts/PendingData.tsx'
import { secondFactorEndpoints as calls } from '../../../schemas/endpoints/secondFactorEndpoints.ts'

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

/** Modules of white around a code, without which cameras do not find it. */
const margin = 4
const pixels = 200

/** A QR code, drawn here: the text goes nowhere else. Dark on white in either theme, as cameras expect. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text])
  const side = size + 2 * margin
  return (
    <svg width={pixels} height={pixels} viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges" role="img">
      <title>{label}</title>
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** One path for all dark modules. */
function draw(text: string): { size: number; path: string } {
  const code = generate(text)
  const modules: string[] = []
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (code.get(x, y)) modules.push(`M${x + margin} ${y + margin}h1v1h-1z`)
    }
  }
  return { size: code.size, path: modules.join('') }
}
