import AccountCircle from '@mui/icons-material/AccountCircleOutlined'
import Keyboard from '@mui/icons-material/KeyboardOutlined'
import Logout from '@mui/icons-material/Logout'
import NetworkCheck from '@mui/icons-material/NetworkCheck'
import Settings from '@mui/icons-material/SettingsOutlined'
import Undo from '@mui/icons-material/Undo'
import useMediaQuery from '@mui/material/useMediaQuery'
import { use } from 'react'
import { useBasename, useLogout, useNavigate, useTranslate } from 'react-admin'
import { MenuButton } from '../../../components/MenuButton.tsx'
import { useIsAvailable } from '../../../engine/define/announcedFeatures.ts'
import { keyHelpRequests } from '../../../engine/palette/shortcutRequests.ts'
import { useIdentity } from '../../../engine/parts/identity.tsx'
import { doctorPath, loginPath } from '../../../session/signInAddress.ts'
import { SettingsContext } from './menuEntries.ts'

/** The menu of the signed-in user. */
export function UserMenu() {
  const translate = useTranslate()
  const logout = useLogout()
  const navigate = useNavigate()
  const basename = useBasename()
  const { identity } = useIdentity()
  const hasSettings = use(SettingsContext).some(useIsAvailable())
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down('lg'))
  return (
    <MenuButton
      label={translate('app.shell.user_menu')}
      icon={<AccountCircle fontSize="small" />}
      text={isNarrow ? undefined : identity?.fullName}
      items={[
        {
          key: 'profile',
          label: translate('app.shell.profile'),
          icon: <AccountCircle fontSize="small" />,
          onSelect: () => navigate(`${basename}/profile`),
        },
        {
          key: 'recent_changes',
          label: translate('app.shell.recent_changes'),
          icon: <Undo fontSize="small" />,
          onSelect: () => navigate(`${basename}/recent-changes`),
        },
        ...(hasSettings
          ? [
              {
                key: 'settings',
                label: translate('app.shell.settings'),
                icon: <Settings fontSize="small" />,
                onSelect: () => navigate(`${basename}/settings`),
              },
            ]
          : []),
        {
          key: 'doctor',
          label: translate('app.shell.doctor'),
          icon: <NetworkCheck fontSize="small" />,
          // In a new tab, so that this page keeps its state.
          onSelect: () => window.open(doctorPath, '_blank', 'noopener'),
        },
        {
          key: 'keys',
          label: translate('app.shell.keys'),
          icon: <Keyboard fontSize="small" />,
          keyName: '?',
          onSelect: () => keyHelpRequests.emit(),
        },
        {
          key: 'logout',
          label: translate('app.shell.logout'),
          icon: <Logout fontSize="small" />,
          // After a sign-out the next user starts on the home page, not on the previous user's page.
          onSelect: () => logout({}, loginPath, false),
        },
      ]}
    />
  )
}
