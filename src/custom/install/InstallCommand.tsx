import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { CheckIcon, CopyIcon } from '../../components/icons.tsx'
import { errorMessage } from '../../domain/errors.ts'
import { type InstallSource, installCommand, type System } from './installCommand.ts'
import { useCopyCommand } from './useCopyCommand.ts'

interface InstallCommandProps {
  system: System
  /** `undefined` while loading. */
  source: InstallSource | undefined
}

/** The command that installs an agent, with dots in place of the secret, and a button that copies it with the secret. */
export function InstallCommand({ system, source }: InstallCommandProps) {
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
