import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Popover from '@mui/material/Popover'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Stack from '@mui/material/Stack'
import Switch from '@mui/material/Switch'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useNotify, useTranslate } from 'react-admin'
import { notificationRight } from '../panes/useProgramRequests.ts'
import { fontSizes, type TerminalPreferences } from '../screen/appearance.ts'
import { useTerminalPreferences } from '../screen/useScreen.ts'

const schemes = ['console', 'light', 'dark'] as const
const switches = ['copiesSelection', 'asksBeforePaste', 'notifiesBell', 'screenReader'] as const

const isPossible = (name: (typeof switches)[number]) => name !== 'notifiesBell' || notificationRight() !== undefined

/** How terminals look and behave, for this browser. Each change applies at once. */
export default function PreferencesMenu({ anchor, onClose }: { anchor: HTMLElement; onClose: () => void }) {
  const translate = useTranslate()
  const [preferences, change] = useTerminalPreferences()
  const notify = useNotify()
  const text = (key: string) => translate(`app.terminal.preferences.${key}`)
  const turn = async (name: (typeof switches)[number], isOn: boolean) => {
    if (name === 'notifiesBell' && isOn && (await Notification.requestPermission()) !== 'granted') {
      return notify('app.terminal.preferences.bell_refused', { type: 'warning' })
    }
    change({ [name]: isOn })
  }
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ paper: { variant: 'outlined', role: 'dialog', 'aria-label': text('open') } }}
    >
      <Stack spacing={2} sx={{ width: 320, maxWidth: '100%', padding: 2 }}>
        <TextField
          type="number"
          label={text('font_size')}
          defaultValue={preferences.fontSize}
          slotProps={{ htmlInput: { min: fontSizes.least, max: fontSizes.most } }}
          onChange={({ target }) => {
            const fontSize = Number(target.value)
            if (fontSize >= fontSizes.least && fontSize <= fontSizes.most) change({ fontSize })
          }}
          helperText={translate('app.terminal.preferences.font_size_hint', { ...fontSizes })}
        />
        <TextField
          label={text('font')}
          defaultValue={preferences.fontFamily}
          placeholder="JetBrains Mono, Fira Code"
          helperText={text('font_hint')}
          onChange={({ target }) => change({ fontFamily: target.value })}
        />
        <FormControl>
          <FormLabel id="terminal-scheme">{translate('app.shell.theme')}</FormLabel>
          <RadioGroup
            row
            aria-labelledby="terminal-scheme"
            value={preferences.scheme}
            onChange={(_, scheme) => change({ scheme: scheme as TerminalPreferences['scheme'] })}
          >
            {schemes.map((scheme) => (
              <FormControlLabel key={scheme} value={scheme} control={<Radio size="small" />} label={text(scheme)} />
            ))}
          </RadioGroup>
        </FormControl>
        <div>
          {switches.filter(isPossible).map((name) => (
            <FormControlLabel
              key={name}
              sx={{ display: 'flex' }}
              control={
                <Switch size="small" checked={preferences[name]} onChange={(_, checked) => void turn(name, checked)} />
              }
              label={text(name)}
            />
          ))}
        </div>
        <Typography variant="caption" color="textSecondary">
          {text('keys')}
        </Typography>
      </Stack>
    </Popover>
  )
}
