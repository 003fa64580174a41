import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import Stack from '@mui/material/Stack'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { CheckIcon, CopyIcon } from '../../components/icons.tsx'
import { errorMessage } from '../../domain/errors.ts'
import { ActionDialog, CloseFooter } from '../../engine/parts/ActionDialog.tsx'
import { AwaitedAgents, TurnedAwayAgents } from './AwaitedAgents.tsx'
import {
  type AgentAddress,
  type AgentSwitch,
  agentSwitches,
  type InstallSource,
  installCommand,
  isAgentHost,
  isLoopbackHost,
  type System,
  systems,
} from './installCommand.ts'
import { useCopyCommand, useInstallSource } from './useInstallCommand.ts'

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

interface InstallCommandProps {
  system: System
  /** `undefined` while loading. */
  source: InstallSource | undefined
}

/** The command that installs an agent, with dots in place of the secret, and a button that copies it with the secret. */
function InstallCommand({ system, source }: InstallCommandProps) {
  const translate = useTranslate()
  const { copied, copy } = useCopyCommand(source)
  const { command, problem } = source ? commandOf(system, source) : {}
  return (
    <div>
      <Heading>
        <span>{translate('app.install.hint')}</span>
        <Button
          variant="contained"
          disabled={!command}
          startIcon={copied === system ? <CheckIcon /> : <CopyIcon />}
          onClick={() => copy(system)}
        >
          {translate('app.install.copy')}
        </Button>
      </Heading>
      {problem ? (
        <Alert severity="error">{translate(problem)}</Alert>
      ) : (
        <Command tabIndex={0} aria-label={translate('app.install.command')}>
          {command}
        </Command>
      )}
    </div>
  )
}

function commandOf(system: System, source: InstallSource): { command?: string; problem?: string } {
  try {
    return { command: installCommand(system, { ...source, secret: source.secret && '••••••••' }) }
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}

const Heading = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(1),
  marginBottom: theme.spacing(1),
  '& > span': { flex: '1 1 240px' },
}))

const Command = styled('pre')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(1.5),
  maxHeight: 160,
  overflow: 'auto',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  fontFamily: theme.typography.fontFamilyMono,
  fontSize: 12,
  background: theme.vars.palette.sunken,
  borderRadius: theme.shape.borderRadius,
}))
