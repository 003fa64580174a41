import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { generate } from 'lean-qr'
import { type FormEvent, useMemo, useRef, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { signInTexts } from '../../../../i18n/signInTexts.ts'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { useLocaleCode } from '../../../components/format/useLanguage.ts'
import { createPasskey } from '../../../components/proof/browserPasskeys.ts'
import { refusalText } from '../../../components/proof/proofRefusal.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { errorMessage } from '../../../domain/errors.ts'
import { ActionDialog, PendingData, useToast } from '../../../engine/parts/ActionDialog.tsx'
import { secondFactorEndpoints as calls, passkeyNameLength } from '../../../schemas/endpoints/secondFactorEndpoints.ts'

interface AddFactorProps {
  onAdded: (recoveryCodes: readonly string[] | undefined) => void
  onClose: () => void
}

/** Shows the secret as a picture and as text, and takes the first code of the app as proof that it has it. */
export function AuthenticatorAppDialog({ onAdded, onClose }: AddFactorProps) {
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

/** Makes a passkey in this browser, or on a key or phone that it reaches, under a name to recognize it by. */
export function PasskeyDialog({ onAdded, onClose }: AddFactorProps) {
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

/** Shows recovery codes, once. It closes when the person says that they are saved, and by nothing else. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const translate = useTranslate()
  const [isSaved, setSaved] = useState(false)
  const text = codes.join('\n')
  return (
    <ActionDialog title={translate('app.second_factor.codes')} width={520} onClose={() => {}}>
      <DialogContent dividers>
        <Alert severity="warning">{translate('app.second_factor.codes_once')}</Alert>
        <Codes aria-label={translate('app.second_factor.codes')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </Codes>
        <CopyButton text={text} label={translate('app.second_factor.copy_codes')} />{' '}
        <Button
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="recovery-codes.txt"
          variant="outlined"
          color="inherit"
        >
          {translate('app.second_factor.download_codes')}
        </Button>
        <div>
          <FormControlLabel
            control={<Checkbox checked={isSaved} onChange={({ target }) => setSaved(target.checked)} />}
            label={translate('app.second_factor.codes_saved')}
          />
        </div>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" disabled={!isSaved} onClick={onClose}>
          {translate('app.action.close')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

const Codes = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(190px, 1fr))',
  gap: theme.spacing(0.5, 2),
  margin: theme.spacing(2, 0),
  padding: 0,
  listStyle: 'none',
  fontFamily: theme.typography.fontFamilyMono,
}))

interface ConfirmChangeDialogProps {
  title: string
  /** The consequences. */
  text: string
  /** The text of the button. */
  action: string
  /** Called when it is confirmed. What it throws is shown, and the question stays. */
  change: () => Promise<void>
  onClose: () => void
}

/** Asks before something is changed that cannot be taken back. */
export function ConfirmChangeDialog({ title, text, action, change, onClose }: ConfirmChangeDialogProps) {
  const translate = useTranslate()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await change()
      onClose()
    } catch (failure) {
      toast.showError(failure)
      setBusy(false)
    }
  }
  return (
    <ActionDialog title={title} width={440} onClose={onClose}>
      <DialogContent>{text}</DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {translate('app.action.cancel')}
        </Button>
        <Button color="error" variant="contained" loading={isBusy} onClick={() => void confirm()}>
          {action}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
