import System from '@mui/icons-material/ComputerOutlined'
import DarkMode from '@mui/icons-material/DarkModeOutlined'
import LightMode from '@mui/icons-material/LightModeOutlined'
import { useColorScheme } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { MenuButton } from '../../../components/MenuButton.tsx'

const modes = [
  { mode: 'light', Icon: LightMode },
  { mode: 'dark', Icon: DarkMode },
  { mode: 'system', Icon: System },
] as const

/** Light, dark, or the system's theme. The choice is saved in this browser and survives sign-outs. */
export function ThemeMenu() {
  const translate = useTranslate()
  const { mode: chosen = 'system', setMode } = useColorScheme()
  const Current = modes.find(({ mode }) => mode === chosen)?.Icon ?? System
  return (
    <MenuButton
      label={translate('app.shell.theme')}
      icon={<Current fontSize="small" />}
      items={modes.map(({ mode, Icon }) => ({
        key: mode,
        label: translate(`app.shell.theme_${mode}`),
        icon: <Icon fontSize="small" />,
        checked: mode === chosen,
        onSelect: () => setMode(mode),
      }))}
    />
  )
}
