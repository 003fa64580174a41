import Alert from '@mui/material/Alert'
import Checkbox from '@mui/material/Checkbox'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../components/ActionDialog.tsx'
import { CloseFooter } from '../../engine/parts/CloseFooter.tsx'
import { AwaitedAgents } from './AwaitedAgents.tsx'
import { type AgentAddress, isAgentHost, isLoopbackHost } from './agentAddress.ts'
import { InstallCommand } from './InstallCommand.tsx'
import { type AgentSwitch, agentSwitches, type System, systems } from './installCommand.ts'
import { TurnedAwayAgents } from './TurnedAwayAgents.tsx'
import { useInstallSource } from './useInstallSource.ts'

/** Adds a machine: shows the command that installs an agent there, and waits for the agent. */
export default function InstallDialog({ onClose }: { onClose: () => void }) {
  const translate = useTranslate()
  const source = useInstallSource()
  const [system, setSystem] = useState<System>('linux')
  const [switches, setSwitches] = useState<readonly AgentSwitch[]>([])
  // What people have changed of the address that was filled in.
  const [changes, setChanges] = useState<Partial<AgentAddress>>({})
  const { host = '', tls = false } = { ...source, ...changes }
  const address = host.trim()

  const toggle = (name: AgentSwitch, isOn: boolean) =>
    setSwitches(agentSwitches.filter((one) => (one === name ? isOn : switches.includes(one))))

  return (
    <ActionDialog title={translate('app.install.menu')} onClose={onClose}>
      <DialogContent dividers>
        <Stack spacing={2}>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={system}
            aria-label={translate('app.install.system')}
            sx={{ flexWrap: 'wrap' }}
            onChange={(_, chosen: System | null) => chosen && setSystem(chosen)}
          >
            {systems.map((one) => (
              <ToggleButton key={one} value={one}>
                {translate(`app.install.systems.${one}`)}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
          <TextField
            label={translate('app.install.address')}
            value={host}
            disabled={!source}
            error={source !== undefined && !isAgentHost(address)}
            helperText={translate(
              source && !isAgentHost(address) ? 'app.install.address_invalid' : 'app.install.address_help',
            )}
            onChange={(event) => setChanges({ ...changes, host: event.target.value })}
            slotProps={{ htmlInput: { maxLength: 255, spellCheck: false, autoCapitalize: 'off' } }}
          />
          <FormGroup sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(250px, 1fr))' }}>
            <FormControlLabel
              control={
                <Checkbox checked={tls} onChange={(event) => setChanges({ ...changes, tls: event.target.checked })} />
              }
              label={translate('app.install.tls')}
            />
            {agentSwitches.map((name) => (
              <FormControlLabel
                key={name}
                control={
                  <Checkbox
                    checked={switches.includes(name)}
                    onChange={(event) => toggle(name, event.target.checked)}
                  />
                }
                label={translate(`app.server_config.fields.${name}`)}
              />
            ))}
          </FormGroup>
          {source && isLoopbackHost(address) ? (
            <Alert severity="warning">{translate('app.install.loopback')}</Alert>
          ) : null}
          {source && !tls ? <Alert severity="warning">{translate('app.install.plain')}</Alert> : null}
          <InstallCommand
            system={system}
            source={source && { ...source, host: isAgentHost(address) ? address : '', tls, switches }}
          />
          <AwaitedAgents />
          <TurnedAwayAgents />
        </Stack>
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
