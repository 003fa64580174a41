import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useBasename, useDataProvider, useTranslate } from 'react-admin'
import { CopyButton } from '../../../components/CopyButton.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { ActionDialog, useToast } from '../../../engine/parts/ActionDialog.tsx'
import { terminalEndpoints } from '../../../schemas/endpoints/terminalEndpoints.ts'
import { type ShareMode, shareModes } from '../../../schemas/frames/terminal.ts'
import { type Pane, terminalId } from '../panes/paneStore.ts'
import { PeopleLine } from './SessionStatus.tsx'

/** Shares a terminal by a link, says who is in it, and ends that. Each change applies at once. */
export default function ShareDialog({ pane, onClose }: { pane: Pane; onClose: () => void }) {
  const translate = useTranslate()
  const basename = useBasename()
  const toast = useToast()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [code, setCode] = useState<string>()
  const { terminal, serverId } = pane
  const session = terminalId(pane)
  const [mode, setMode] = useState<ShareMode>(terminal?.share ?? 'watch')

  const attempt = (act: () => Promise<unknown>) => act().catch(toast.showError)
  const share = (next: ShareMode) =>
    attempt(async () => setCode((await call(terminalEndpoints.shareTerminal, { session, mode: next })).code))
  const choose = (next: ShareMode) => {
    setMode(next)
    if (terminal?.share) void share(next)
  }
  const unshare = () =>
    attempt(async () => {
      await call(terminalEndpoints.unshareTerminal, { session })
      setCode(undefined)
    })
  const link = code && `${location.origin}${basename}/terminal/${serverId}?share=${code}`
  return (
    <ActionDialog title={translate('app.terminal.share.title')} width={560} onClose={onClose}>
      <DialogContent dividers>
        <p style={{ marginTop: 0 }}>{translate('app.terminal.share.hint')}</p>
        <RadioGroup
          aria-label={translate('app.terminal.share.title')}
          value={mode}
          onChange={({ target }) => choose(shareModes.find((one) => one === target.value) ?? 'watch')}
        >
          {shareModes.map((one) => (
            <FormControlLabel
              key={one}
              value={one}
              control={<Radio size="small" />}
              label={translate(`app.terminal.share.${one}`)}
            />
          ))}
        </RadioGroup>
        {terminal?.share && link ? (
          <TextField
            fullWidth
            margin="dense"
            label={translate('app.terminal.share.link')}
            value={link}
            onFocus={({ target }) => target.select()}
            slotProps={{ input: { readOnly: true, endAdornment: <CopyButton text={link} /> } }}
          />
        ) : null}
        {terminal?.share ? <PeopleLine terminal={terminal} /> : null}
      </DialogContent>
      <DialogActions>
        {terminal?.share ? (
          <Button color="error" onClick={() => void unshare()} sx={{ marginInlineEnd: 'auto' }}>
            {translate('app.terminal.share.end')}
          </Button>
        ) : null}
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
        {terminal?.share && link ? null : (
          <Button variant="contained" onClick={() => void share(mode)}>
            {translate('app.terminal.share.begin')}
          </Button>
        )}
      </DialogActions>
    </ActionDialog>
  )
}
