import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useTranslate } from 'react-admin'
import { CheckIcon, CopyIcon } from '../../components/icons.tsx'
import { systems } from './installCommand.ts'
import { useCopyCommand } from './useCopyCommand.ts'
import { useInstallSource } from './useInstallSource.ts'

interface InstallCommandsProps {
  anchor: HTMLElement
  onClose: () => void
}

/** A menu with one entry per operating system: it copies the command and stays open. */
export default function InstallCommands({ anchor, onClose }: InstallCommandsProps) {
  const translate = useTranslate()
  const { source, acceptsNoAgents } = useInstallSource()
  const { copied, copy } = useCopyCommand(source)
  return (
    <Menu anchorEl={anchor} open onClose={onClose} slotProps={{ list: { subheader: <li /> } }}>
      <ListSubheader sx={{ maxWidth: 320, lineHeight: 1.5, paddingBlock: 1 }}>
        {translate(acceptsNoAgents ? 'app.install.no_agents_yet' : 'app.install.hint')}
      </ListSubheader>
      {systems.map((system) => (
        <MenuItem key={system} disabled={!source || copied !== undefined} onClick={() => copy(system)} sx={{ gap: 1 }}>
          {copied === system ? <CheckIcon /> : <CopyIcon />}
          {translate(`app.install.systems.${system}`)}
        </MenuItem>
      ))}
    </Menu>
  )
}
